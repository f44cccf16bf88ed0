// A server that never answers.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/never`, { timeout: '300ms' });
  console.log(res.status, res.error, res.error_code);
  console.log(res.timings.waiting > 150, res.timings.waiting < 5000);
}
