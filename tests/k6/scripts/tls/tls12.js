// A server that stops at TLS 1.2.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.TLS12_BASE}/get`);
  console.log(res.status, res.tls_version);
}
