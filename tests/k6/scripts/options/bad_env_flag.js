// @args -e 1BAD=x
// @exit 255
// A variable name that is none.
export default function () {}
