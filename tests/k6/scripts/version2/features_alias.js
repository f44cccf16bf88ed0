// The variable that came before the feature still switches it on.
// @env K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM=true
export default function () {
  console.log(__ENV.K6_FEATURES);
}
