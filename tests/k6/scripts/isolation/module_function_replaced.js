// A function of a built-in module replaced.
import { sleep } from 'k6';
import http from 'k6/http';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const old = http.get;
  if (__VU === 1 && __ITER === 0) http.get = () => ({ status: 'fake' });
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, http.get(`${__ENV.BASE}/get`).status);
}
