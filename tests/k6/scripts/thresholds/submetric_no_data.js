// @exit 99
// A sub-metric nobody feeds.
import http from 'k6/http';

export const options = {
  thresholds: { 'http_reqs{name:nobody}': ['count>0'], 'http_req_duration{name:nobody}': ['p(95)<500'], 'http_req_failed{name:nobody}': ['rate<0.1'] },
};

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
