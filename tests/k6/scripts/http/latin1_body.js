// A body that is not UTF-8, as text.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/latin1`);
  console.log(res.body.length, JSON.stringify(res.body));
}
