// A built-in function found by a computed name, given a property.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const key = 'pu' + 'sh';
  const f = [][key];
  f.count = (f.count || 0) + 1;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, [].push.count);
}
