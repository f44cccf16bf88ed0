// globalThis written and read.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  globalThis.counter = (globalThis.counter || 0) + 1;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, globalThis.counter);
}
