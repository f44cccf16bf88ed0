// @args --dns nearest=1
// @exit 255
// A key that there is not.
export default function () {}
