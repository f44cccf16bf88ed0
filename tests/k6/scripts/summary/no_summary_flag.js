// @args --no-summary
// @exit 255
// @former-exit 0
// @compare stdout █
// The older flag for it.
export default function () {
  console.log('ran');
}
