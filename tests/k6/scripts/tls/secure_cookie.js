// A secure cookie is sent over TLS.
import http from 'k6/http';

export default function () {
  http.get(`${__ENV.TLS_BASE}/cookies/set-attrs?name=safe&value=1&path=/&secure=1`);
  console.log(http.get(`${__ENV.TLS_BASE}/cookies`).json('cookies.safe.0'));
}
