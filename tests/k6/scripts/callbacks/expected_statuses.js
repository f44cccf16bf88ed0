// setResponseCallback with expectedStatuses.
import http from 'k6/http';

http.setResponseCallback(http.expectedStatuses(404, { min: 200, max: 204 }));

export const options = { thresholds: { http_req_failed: ['rate==0.5'] } };

export default function () {
  for (const code of [200, 204, 404, 206, 302, 500]) http.get(`${__ENV.BASE}/status/${code}`);
}
