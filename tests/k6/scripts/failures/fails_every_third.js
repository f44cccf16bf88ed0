// A server that fails every third time: counts of checks and failed requests.
import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 9 };

export default function () {
  const res = http.get(`${__ENV.BASE}/fail-every/3`);
  check(res, { 'status is 200': (r) => r.status === 200, 'code is success': (r) => r.json('code') === 'success' });
}
