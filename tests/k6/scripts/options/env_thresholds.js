// @env K6_THRESHOLDS={"iterations":["count>5"]}
// @exit 99
// Thresholds from the environment.
export default function () {}
