// Symbol.for as a key of what is common.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const key = Symbol.for('app');
  if (__VU === 1) [].constructor[key] = 1;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Array[key], Symbol.keyFor(key));
}
