// @exit 99
// Thresholds that are crossed.
import http from 'k6/http';

export const options = { iterations: 2, thresholds: { http_req_failed: ['rate<0.01'], http_reqs: ['count>100', 'count>1'] } };

export default function () {
  http.get(`${__ENV.BASE}/status/500`);
}
