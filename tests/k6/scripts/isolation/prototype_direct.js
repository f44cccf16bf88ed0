// Array.prototype patched in an iteration: only this user sees it.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) Array.prototype.last = function () { return this[this.length - 1]; };
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof [].last);
}
