// HEAD gives headers and an empty body.
import http from 'k6/http';

export default function () {
  const res = http.head(`${__ENV.BASE}/get`);
  console.log(res.status, JSON.stringify(res.body), res.headers['Content-Length'] > 0);
}
