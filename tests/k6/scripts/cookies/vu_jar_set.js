// http.cookieJar: set, cookiesForURL, clear, delete.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  const jar = http.cookieJar();
  jar.set(__ENV.BASE, 'own', 'value');
  jar.set(__ENV.BASE, 'other', 'second', { path: '/anything' });
  console.log(sorted(jar.cookiesForURL(__ENV.BASE)));
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
  console.log(JSON.stringify(Object.keys(jar.cookiesForURL(`${__ENV.BASE}/anything/x`)).sort()));
  jar.delete(__ENV.BASE, 'own');
  console.log(sorted(jar.cookiesForURL(__ENV.BASE)));
  jar.clear(`${__ENV.BASE}/anything`);
  console.log(sorted(jar.cookiesForURL(`${__ENV.BASE}/anything`)));
}
