// @args --tag nonsense
// @exit 255
// A tag without a value.
export default function () {}
