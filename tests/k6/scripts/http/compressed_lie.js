// A body that is not what Content-Encoding says.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/gzip-bad`);
  console.log(res.status, res.error_code, res.body);
}
