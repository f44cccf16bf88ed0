// Absolute locations.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/2?abs=1`);
  console.log(res.status, res.url);
}
