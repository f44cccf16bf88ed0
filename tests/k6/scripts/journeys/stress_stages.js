// A stress test's stages, shortened.
// @tolerance iterations 4
// @tolerance http_reqs 4
// @tolerance checks 4
import http from 'k6/http';
import { check, sleep } from 'k6';

export const options = {
  stages: [{ duration: '500ms', target: 5 }, { duration: '1s', target: 5 }, { duration: '500ms', target: 0 }],
  thresholds: { http_req_duration: ['p(95)<3000'], checks: ['rate>0.95'] },
};

export default function () {
  check(http.get(`${__ENV.BASE}/get`), { 'status 200': (r) => r.status === 200 });
  sleep(0.4);
}
