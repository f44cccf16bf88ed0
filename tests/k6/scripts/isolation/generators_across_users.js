// Generators kept over iterations.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

function* numbers() {
  let n = 0;
  while (true) {
    const by = yield n;
    n += by || 1;
  }
}
const own = numbers();
own.next();

export default function () {
  const first = own.next(__VU).value;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, first, own.next().value, [...[1, 2].entries()].length);
}
