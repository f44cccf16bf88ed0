// Promises are values like others: true, whatever comes of them.
import { check } from 'k6';

export default async function () {
  console.log(check(1, { promise: Promise.resolve(false), 'returns one': () => Promise.resolve(false) }));
  console.log(await check(Promise.resolve(0), { 'the value is one': (value) => typeof value.then === 'function' }));
}
