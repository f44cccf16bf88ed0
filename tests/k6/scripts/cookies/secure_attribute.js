// A secure cookie is not sent over plain HTTP.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  http.get(`${__ENV.BASE}/cookies/set-attrs?name=safe&value=1&path=/&secure=1`);
  http.get(`${__ENV.BASE}/cookies/set-attrs?name=plain&value=1&path=/`);
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
}
