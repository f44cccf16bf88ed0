// One GET and what its response holds.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(`${__ENV.BASE}/get`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'body is JSON': (r) => r.json().method === 'GET',
  });
  console.log(res.status, res.status_text, res.proto, res.error_code, JSON.stringify(res.error));
  console.log(res.url, res.remote_ip, typeof res.remote_port, res.headers['Content-Type']);
  console.log(typeof res.timings.duration, Object.keys(res.timings).sort().join());
}
