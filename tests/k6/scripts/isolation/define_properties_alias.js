// defineProperties under another name.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const define = Object.defineProperties;
  if (__VU === 1 && __ITER === 0) define(Math, { tau: { value: 6.28 } });
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Math.tau);
}
