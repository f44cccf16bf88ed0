// HTTP/2 is chosen by ALPN.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.TLS_BASE}/get`);
  console.log(res.status, res.proto, res.json('proto'), res.tls_version, typeof res.tls_cipher_suite);
  const head = http.head(`${__ENV.TLS_BASE}/get`);
  console.log(head.status, head.proto);
}
