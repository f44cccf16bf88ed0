// How errors print.
export default function () {
  console.log(String(new TypeError('typed')), `${new Error('plain')}`);
  console.log(new Error('as an argument'));
  console.error({ wrapped: new RangeError('inside') });
}
