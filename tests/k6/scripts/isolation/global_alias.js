// The global object under another name.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const g = [globalThis][0];
  g.mine = g.mine || `user ${__VU}`;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, mine);
}
