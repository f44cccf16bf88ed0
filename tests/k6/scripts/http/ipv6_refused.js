// IPv6 literals in URLs.
import http from 'k6/http';

export default function () {
  const res = http.get('http://[::1]:1/');
  console.log(res.status, res.error_code > 1199);
}
