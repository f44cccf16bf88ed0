// A smoke test: one user, a check, a threshold.
import http from 'k6/http';
import { check, sleep } from 'k6';

export const options = {
  vus: 1,
  iterations: 2,
  thresholds: { http_req_failed: ['rate<0.01'], http_req_duration: ['p(99)<1500'] },
};

export default function () {
  const res = http.get(`${__ENV.BASE}/get`);
  check(res, { 'status was 200': (r) => r.status == 200 });
  sleep(0.1);
}
