// Redirects are followed; each hop is a request.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/3`);
  check(res, { landed: (r) => r.status === 200 && r.url.endsWith('/anything/landed') });
  console.log(res.status, res.url, res.request.url);
}
