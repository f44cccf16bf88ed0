// responseCallback of one request.
import http from 'k6/http';

export const options = { thresholds: { http_req_failed: ['rate==0'] } };

export default function () {
  http.get(`${__ENV.BASE}/status/404`, { responseCallback: http.expectedStatuses(404) });
  http.get(`${__ENV.BASE}/status/500`, { responseCallback: http.expectedStatuses({ min: 500, max: 599 }) });
  http.get(`${__ENV.BASE}/get`);
}
