// @args --no-summary
// @exit 255
// @since 2.0
// --summary-mode=disabled took its place.
export default function () {}
