// @args --quiet
// @compare summary-text
// --quiet hides the progress, not the lines.
export default function () {
  console.log('still here');
}
