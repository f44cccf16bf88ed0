// A body of two megabytes arrives whole.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/big/2000000`);
  console.log(res.status, res.body.length, res.body.slice(0, 3));
}
