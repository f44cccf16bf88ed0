// A name that does not resolve.
import http from 'k6/http';

export default function () {
  const res = http.get('http://nosuch.invalid/');
  console.log(res.status, res.error, res.error_code);
}
