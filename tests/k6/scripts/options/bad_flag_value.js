// @args --vus many
// @exit 255
// A flag with a value that is no number.
export default function () {}
