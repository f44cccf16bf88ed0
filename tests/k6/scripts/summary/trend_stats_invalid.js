// @args --summary-trend-stats avg,p(abc)
// @exit 255
// A column that does not exist.
export default function () {}
