// @args --no-summary
// @compare stdout █
// The older flag for it.
export default function () {
  console.log('ran');
}
