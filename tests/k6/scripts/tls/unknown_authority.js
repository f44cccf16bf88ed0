// @trust none
// A certificate of an unknown authority.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.TLS_BASE}/get`);
  console.log(res.status, res.error_code, res.error);
}
