// Cookies of a hop go to the jar; res.cookies holds only the last answer's.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  const res = http.get(`${__ENV.BASE}/cookies/set?hop=1`);
  console.log(JSON.stringify(Object.keys(res.cookies)), sorted(res.json('cookies')));
  console.log(sorted(http.cookieJar().cookiesForURL(__ENV.BASE)));
}
