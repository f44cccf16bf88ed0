// Math.random overridden.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) Math.random = () => 0.5;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Math.random() === 0.5);
}
