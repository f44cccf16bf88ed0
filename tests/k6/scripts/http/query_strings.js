// Query strings pass as written.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/anything?a=1&b=two%20words&a=2&empty=&flag&enc=%2F%3F`);
  console.log(JSON.stringify(JSON.parse(res.body).query));
  console.log(res.url);
  console.log(http.get(`${__ENV.BASE}/anything/with spaces?q=a b`).json('path'));
  console.log(http.get(`${__ENV.BASE}/anything/%C3%BC/ü`).json('path'));
}
