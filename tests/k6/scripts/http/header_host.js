// A Host header replaces the host of the URL.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/get`, { headers: { Host: 'shop.example' } });
  console.log(res.json('headers.host'), res.status);
}
