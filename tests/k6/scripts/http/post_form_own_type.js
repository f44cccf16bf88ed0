// A form keeps the content type the script gives.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, { a: 1 }, { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' } });
  console.log(res.json('headers.content-type'), res.json('body'));
}
