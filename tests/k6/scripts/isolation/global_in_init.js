// Globals set in init code.
import { sleep } from 'k6';
globalThis.state = { count: 0 };
globalThis.who = `user ${__VU}`;
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  globalThis.state.count++;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, globalThis.state.count, who);
}
