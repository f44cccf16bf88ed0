// What a broken stream of HTTP/2 is called.
import http from 'k6/http';

const BASE = __ENV.TLS_BASE;

export const options = { insecureSkipTLSVerify: true };

export default function () {
  console.log(http.get(`${BASE}/get`).proto);
  const closed = http.get(`${BASE}/close`, { timeout: '2s' });
  console.log(closed.status, closed.error_code, closed.error);
  const late = http.get(`${BASE}/delay/900`, { timeout: '200ms' });
  console.log(late.status, late.error_code, late.error);
  console.log(http.get(`${BASE}/get`).status);
}
