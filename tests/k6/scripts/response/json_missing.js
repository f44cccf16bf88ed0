// json() of what is not there.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json`);
  console.log(res.json('nope'), res.json('store.nope.deeper'), res.json('friends.99'), typeof res.json('nope'));
}
