// A callback set in an iteration stays with its user.
import http from 'k6/http';

export const options = { iterations: 2, thresholds: { http_req_failed: ['rate==0.25'] } };

export default function () {
  if (__ITER === 1) http.setResponseCallback(http.expectedStatuses(500));
  http.get(`${__ENV.BASE}/status/${__ITER === 0 ? 200 : 500}`);
  http.get(`${__ENV.BASE}/status/${__ITER === 0 ? 500 : 500}`);
}
