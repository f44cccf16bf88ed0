// A certificate for another name.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.WRONGHOST_BASE}/get`);
  console.log(res.status, res.error_code);
}
