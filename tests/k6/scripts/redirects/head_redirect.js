// HEAD stays HEAD.
import http from 'k6/http';

export default function () {
  const res = http.head(`${__ENV.BASE}/redirect/2?to=/get`);
  console.log(res.status, res.url, res.request.method);
}
