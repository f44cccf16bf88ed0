// Timeouts as milliseconds and as text.
import http from 'k6/http';

export default function () {
  const slow = `${__ENV.BASE}/delay/3000`;
  for (const timeout of [150, '150ms', '0.15s']) {
    const res = http.get(slow, { timeout });
    console.log(res.status, res.error, res.error_code, res.body);
  }
  console.log(http.get(`${__ENV.BASE}/delay/20`, { timeout: '2s' }).status);
}
