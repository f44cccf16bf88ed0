// A built-in method deleted.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 2 && __ITER === 0) delete String.prototype.trim;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof ''.trim);
}
