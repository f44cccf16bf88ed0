// toJSON on a built-in prototype.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 2) Number.prototype.toJSON = function () { return 'n' + this; };
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, JSON.stringify([1]));
}
