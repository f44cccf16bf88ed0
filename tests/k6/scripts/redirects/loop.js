// A loop ends after ten hops.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect-loop`);
  console.log(res.status, res.url, res.error_code);
}
