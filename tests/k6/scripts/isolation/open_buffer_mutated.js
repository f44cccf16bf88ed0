// A buffer from open() changed.
import { sleep } from 'k6';
const data = open('./data/bytes.txt', 'b');
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const bytes = new Uint8Array(data);
  bytes[0] += __VU;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, bytes[0]);
}
