// @args --blacklist-ip 127.0.0.0/8
// A blacklisted address ends as an error.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/get`);
  console.log(res.status, res.error_code, res.error);
}
