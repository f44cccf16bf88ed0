// A jar of the script's own, handed to requests.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  const jar = new http.CookieJar();
  jar.set(__ENV.BASE, 'private', 'yes');
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`, { jar }).json('cookies')));
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
  http.get(`${__ENV.BASE}/cookies/set?more=1`, { jar });
  console.log(sorted(jar.cookiesForURL(__ENV.BASE)));
}
