// new Function reaches the global object.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) new Function('this.viaFunction = 1').call(globalThis);
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, typeof viaFunction);
}
