// @args --nosuchflag
// @exit 255
// A flag that does not exist.
export default function () {}
