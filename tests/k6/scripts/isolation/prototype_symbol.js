// Symbol.iterator of arrays replaced.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1 && __ITER === 0) {
    const old = Array.prototype[Symbol.iterator];
    Array.prototype[Symbol.iterator] = function* () { for (let i = this.length - 1; i >= 0; i--) yield this[i]; };
  }
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, [...'ab'].join(), Array.from(new Set([1, 2])).length, (([a]) => a)([7, 8]));
}
