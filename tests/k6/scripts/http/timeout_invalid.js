// A timeout that is none: a warning and no request.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/get`, { timeout: 'soon' });
  console.log(res.status, res.error, res.error_code);
}
