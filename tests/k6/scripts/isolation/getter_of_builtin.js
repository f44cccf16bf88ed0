// A getter of a built-in prototype replaced.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const d = Object.getOwnPropertyDescriptor(Map.prototype, 'size');
  if (__VU === 1 && __ITER === 0) Object.defineProperty(Map.prototype, 'size', { get() { return -1; }, configurable: true });
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, new Map([[1, 1]]).size, d.get.call(new Map()));
}
