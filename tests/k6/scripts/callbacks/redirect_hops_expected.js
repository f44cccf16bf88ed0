// Hops of a redirect are expected too.
import http from 'k6/http';

export const options = { thresholds: { http_req_failed: ['rate==0'] } };

export default function () {
  http.get(`${__ENV.BASE}/redirect/3`);
}
