// tlsVersion limits what is offered.
import http from 'k6/http';

export const options = { tlsVersion: http.TLS_1_2 };

export default function () {
  console.log(http.get(`${__ENV.TLS1_BASE}/get`).tls_version);
}
