// @args --log-output stdout
// Log lines on standard output.
export default function () {
  console.log('over here');
}
