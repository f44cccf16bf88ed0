// Cookies of one request; they are not stored.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  const res = http.get(`${__ENV.BASE}/cookies`, { cookies: { a: '1', b: { value: '2' } } });
  console.log(sorted(res.json('cookies')));
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
}
