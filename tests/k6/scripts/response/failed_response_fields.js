// All fields of a response to a request that failed.
import http from 'k6/http';

export default function () {
  const res = http.get('http://127.0.0.1:1/x');
  console.log(res.status, JSON.stringify(res.status_text), JSON.stringify(res.proto), res.url, res.body);
  console.log(res.error, res.error_code, JSON.stringify(res.headers), JSON.stringify(res.cookies));
  console.log(res.timings.duration, res.remote_ip === '', res.remote_port, JSON.stringify(res.tls_version));
  console.log(res.request.method, res.request.url);
}
