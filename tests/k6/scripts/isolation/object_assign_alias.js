// Object.assign onto a built-in object handed to a function.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const extend = (target) => Object.assign(target, { extended: true });
  if (__VU === 3) extend([Math][0]);
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Math.extended);
}
