// The flag counts alone, whatever the environment says; names are trimmed, doubles are one.
// @former-exit 255
// @args --features native-histograms --features=native-histograms,,merge-run-tags
// @env K6_FEATURES=freeze-env
export default function () {
  console.log(__ENV.K6_FEATURES, Object.isFrozen(__ENV));
}
