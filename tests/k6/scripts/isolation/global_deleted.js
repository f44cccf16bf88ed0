// A global function deleted.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const all = globalThis;
  if (__VU === 2) delete all.parseInt;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof parseInt);
}
