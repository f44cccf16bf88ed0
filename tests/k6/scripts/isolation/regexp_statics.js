// RegExp statics and lastIndex.
import { sleep } from 'k6';
const shared = /x/g;
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const re = /(\d+)/g;
  re.exec(`a${__VU}b${__VU}`);
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, re.lastIndex, shared.test('xx'), shared.lastIndex, RegExp.$1);
}
