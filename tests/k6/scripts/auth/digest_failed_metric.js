// The challenge of digest authentication is expected and does not count as failed.
import http from 'k6/http';

export const options = { iterations: 2, thresholds: { http_req_failed: ['rate==0'] } };

export default function () {
  http.get(`${__ENV.BASE}/digest-auth/u/p`.replace('://', '://u:p@'), { auth: 'digest' });
}
