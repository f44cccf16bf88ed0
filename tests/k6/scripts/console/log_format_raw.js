// @args --log-format raw
// Log lines as they are.
export default function () {
  console.log('raw line');
}
