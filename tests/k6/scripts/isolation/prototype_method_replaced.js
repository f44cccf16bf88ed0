// A built-in method replaced and called.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 2) Array.prototype.map = function () { return 'replaced'; };
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, JSON.stringify([1].map((x) => x + 1)));
}
