// Error.prototype and stack traces.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) Error.prototype.code = 'E1';
  sleep(0.05);
  try { null.x; } catch (e) { console.log(`${__VU}:${__ITER}`, e.code, e instanceof TypeError); }
}
