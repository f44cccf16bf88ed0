// Time-outs, refused connections and a wrapper that tries again.
import http from 'k6/http';
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';
const again = new Counter('tries_again');
function withRetry(f, times = 3) { let r; for (let i = 0; i < times; i++) { r = f(); if (r.status && r.status < 500) return r; again.add(1, { code: String(r.error_code) }); sleep(0.01); } return r; }
export const options = { thresholds: { 'tries_again{code:1500}': ['count>=1'], 'tries_again{code:1050}': ['count==1'] } };
export default function () {
  const a = withRetry(() => http.get(`${__ENV.BASE}/fail-every/2`)); const b = withRetry(() => http.get(`${__ENV.BASE}/fail-every/2`));
  const c = withRetry(() => http.get(`${__ENV.BASE}/delay/2000`, { timeout: 100 }), 1);
  const d = withRetry(() => http.get('http://127.0.0.1:1/'), 1);
  console.log(a.status, b.status, [c.status, c.error_code, c.error], [d.status, d.error_code, d.body, d.timings.duration]);
  const e = http.get('http://no-such-host.invalid/', { timeout: '1s', tags: { name: 'nohost' } }); console.log(e.error_code, e.status_text);
  try { http.get('http://127.0.0.1:1/', { throw: true }); } catch (x) { console.log(x.message ?? x); }
}
