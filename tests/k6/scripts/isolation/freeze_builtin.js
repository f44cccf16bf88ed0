// A built-in object frozen.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const freeze = Object.freeze;
  if (__VU === 1) freeze([Math][0]);
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Object.isFrozen(Math));
}
