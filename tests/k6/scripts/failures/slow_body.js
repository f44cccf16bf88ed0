// A time-out in the middle of a slow body.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/slow-body`, { timeout: '500ms' });
  console.log(res.status, res.error, res.error_code, res.body.startsWith('x'));
}
