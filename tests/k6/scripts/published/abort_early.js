// Stop the whole test when the target is not there.
// @exit 108
import http from 'k6/http';
import exec from 'k6/execution';

export const options = { vus: 1, iterations: 10 };

export function setup() {
  const res = http.get(`${__ENV.BASE}/status/404`);
  if (res.status !== 200) {
    exec.test.abort(`target is not healthy: ${res.status}`);
  }
}

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
