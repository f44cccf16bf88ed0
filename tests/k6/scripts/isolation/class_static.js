// Static members and private fields of a class.
import { sleep } from 'k6';
class Counter {
  static total = 0;
  static made = 0;
  #n = 0;
  constructor() { Counter.made++; }
  next() { return ++this.#n; }
}
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  Counter.total += __VU;
  const c = new Counter();
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, Counter.total, c.next(), Counter.made);
}
