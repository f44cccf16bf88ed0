// A certificate that has run out.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.EXPIRED_BASE}/get`);
  console.log(res.status, res.error_code);
}
