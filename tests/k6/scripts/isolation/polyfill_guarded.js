// A polyfill that is not needed leaves things as they are.
import { sleep } from 'k6';
if (!Array.prototype.flat) Array.prototype.flat = function () { return []; };
if (!String.prototype.padStart) { Object.defineProperty(String.prototype, 'padStart', { value: () => 'poly' }); }
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, [1, [2]].flat().length, 'a'.padStart(3, '-'));
}
