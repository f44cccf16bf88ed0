// A server without HTTP/2.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.TLS1_BASE}/get`);
  console.log(res.status, res.proto, res.tls_version);
}
