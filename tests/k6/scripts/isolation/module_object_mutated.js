// The object of a built-in module.
import { sleep } from 'k6';
import http from 'k6/http';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  if (__VU === 1) http.mine = 1;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, http.mine);
}
