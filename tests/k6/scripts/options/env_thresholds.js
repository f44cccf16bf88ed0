// @env K6_THRESHOLDS={"iterations":["count>5"]}
// @exit 104
// Thresholds as JSON in the environment are no thresholds.
export default function () {}
