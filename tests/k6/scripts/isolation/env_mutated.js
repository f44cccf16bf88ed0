// __ENV changed by one user.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const before = __ENV.NAME;
  __ENV.NAME = `user ${__VU}`;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, before, __ENV.NAME);
}
