// @env HTTP_PROXY=${RAW_BASE}
// Plain requests go through HTTP_PROXY in absolute form.
import http from 'k6/http';

export default function () {
  const res = http.get('http://far.example/path?q=1');
  console.log(res.status, res.body.split('\r\n')[0]);
}
