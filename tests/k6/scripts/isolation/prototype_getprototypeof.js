// Object.getPrototypeOf leads to what is common.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const p = Object.getPrototypeOf({});
  if (__VU === 3) p.shared = 'leak';
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, ({}).shared);
  if (__VU === 3) delete p.shared;
}
