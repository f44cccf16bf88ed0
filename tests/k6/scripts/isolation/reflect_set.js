// Reflect.set and Reflect.defineProperty.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const { set, defineProperty } = Reflect;
  if (__VU === 1) set(Number.prototype, 'one', 1);
  if (__VU === 2) defineProperty(JSON, 'two', { value: 2, configurable: true });
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, (5).one, JSON.two);
}
