// @args --log-format json
// Log lines as JSON.
export default function () {
  console.log('as json', { a: 1 });
  console.warn('careful');
}
