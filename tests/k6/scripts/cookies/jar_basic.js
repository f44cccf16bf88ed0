// Cookies set by the server come back with the next request.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  http.get(`${__ENV.BASE}/cookies/set?fruit=apple&colour=red`);
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
  http.get(`${__ENV.BASE}/cookies/delete?fruit`);
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
}
