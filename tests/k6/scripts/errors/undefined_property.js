// The usual mistake: a field of undefined.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json`);
  console.log(res.json().store.owner.name);
}
