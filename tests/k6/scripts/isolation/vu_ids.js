// __VU and __ITER as values.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const seen = __VU;
  sleep(0.05 * __VU);
  console.log(`${__VU}:${__ITER}`, seen === __VU, typeof __VU, typeof __ITER, '__VU' in globalThis);
}
