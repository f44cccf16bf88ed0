// Deep recursion in one user. (k6 itself does not survive an endless one.)
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

function depth(n) {
  return n === 0 ? 0 : 1 + depth(n - 1);
}

export default function () {
  if (__VU === 2) console.log(`${__VU}:${__ITER}`, depth(2000));
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, 'unharmed');
}
