// __proto__ of a literal.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) ({}).__proto__.viaProto = __VU;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, ({}).viaProto);
}
