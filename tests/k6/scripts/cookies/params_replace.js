// A request's cookie is sent beside the jar's unless it replaces it.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  http.get(`${__ENV.BASE}/cookies/set?a=jar`);
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`, { cookies: { a: 'param' } }).json('cookies')));
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`, { cookies: { a: { value: 'param', replace: true } } }).json('cookies')));
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
}
