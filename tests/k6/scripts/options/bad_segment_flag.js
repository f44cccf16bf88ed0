// @args --execution-segment 3/4:1/4
// @exit 255
// It ends before it begins.
export default function () {}
