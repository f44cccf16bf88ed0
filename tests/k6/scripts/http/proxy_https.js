// @env HTTPS_PROXY=${RAW_BASE}
// HTTPS goes through HTTPS_PROXY by CONNECT.
import http from 'k6/http';

export default function () {
  const port = __ENV.TLS1_BASE.split(':')[2];
  const res = http.get(`https://test.example:${port}/get`);
  console.log(res.status, res.json('method'));
}
