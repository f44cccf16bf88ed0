// null for one request only.
import http from 'k6/http';

export const options = { thresholds: { http_req_failed: ['rate==0'], http_reqs: ['count==3'] } };

export default function () {
  http.get(`${__ENV.BASE}/get`);
  http.get(`${__ENV.BASE}/status/500`, { responseCallback: null });
  http.get(`${__ENV.BASE}/get`);
}
