// @exit 108
// The test stops itself when the first answer is wrong; teardown still runs.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
export const options = { vus: 1, iterations: 50 };
export function setup() { return { limit: 3 }; }
export default function (d) {
  const ok = check(http.get(`${__ENV.BASE}/status/${__ITER < d.limit ? 200 : 503}`), { up: (r) => r.status === 200 });
  if (!ok) exec.test.abort(`down after ${__ITER}`);
  console.log('still', __ITER);
}
export function teardown(d) { console.log('teardown', d.limit); }
