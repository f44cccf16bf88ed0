// Response headers of 400 kB.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/huge-headers`, { timeout: '5s' });
  console.log(res.status, res.error_code);
  console.log('goes on', http.get(`${__ENV.BASE}/get`).status);
}
