// Promise.prototype.then replaced.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1 && __ITER === 0) Promise.prototype.also = () => 'also';
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof Promise.resolve().also);
}
