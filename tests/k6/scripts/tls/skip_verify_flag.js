// @trust none
// @args --insecure-skip-tls-verify
// The same by flag.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.TLS_BASE}/get`).proto);
}
