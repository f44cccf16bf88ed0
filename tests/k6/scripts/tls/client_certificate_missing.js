// A server that demands a client certificate and gets none.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.MTLS_BASE}/get`);
  console.log(res.status, res.error_code >= 1000);
}
