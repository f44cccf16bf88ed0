// Ten thousand redirects: the limit holds.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/10000`);
  console.log(res.status, res.error_code);
}
