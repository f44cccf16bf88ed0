// Function.prototype patched.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) Function.prototype.twice = function (x) { return this(this(x)); };
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof ((x) => x).twice);
}
