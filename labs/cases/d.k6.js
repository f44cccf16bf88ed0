// Case D: content detail, always the same content, a device of its own for each iteration, then reading for 2 to 3 s.
// A user sends 2 requests in 2.5 s at most: 200 users cannot ask for more than 160/s.
import http from 'k6/http';
import { check, sleep } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';

export const options = {
  vus: Number(__ENV.VUS || 200),
  duration: __ENV.HOLD || '1m',
  thresholds: { http_req_duration: ['p(95)<500'], checks: ['rate==1'] },
};

export default function () {
  const device = { headers: { 'device-fid': `fid-${Math.floor(Math.random() * 1e9)}` } };
  const isSuccess = { 'status is 200': (r) => r.status === 200, 'code is success': (r) => r.json('code') === 'success' };
  check(http.get(`${target}/contents/1/places`, device), isSuccess);
  check(http.get(`${target}/contents/1`, device), isSuccess);
  sleep(2 + Math.random());
}
