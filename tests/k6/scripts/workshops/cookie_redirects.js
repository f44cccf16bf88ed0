// Cookies set on a way of redirects, a jar of the script's own, and one that is cleared.
import http from 'k6/http';
import { check } from 'k6';
const shown = (all) => JSON.stringify(Object.keys(all).sort().map((k) => [k, all[k]]));
export default function () {
  const base = __ENV.BASE;
  const jar = http.cookieJar();
  jar.set(base, 'seen', 'yes', { path: '/cookies', max_age: 600, secure: false });
  const r = http.get(`${base}/redirect-to?url=${encodeURIComponent('/cookies/set?a=1&b=2')}`, { redirects: 5 });
  console.log(r.status, r.url.replace(base, ''), shown(jar.cookiesForURL(`${base}/cookies`)));
  const none = http.get(`${base}/redirect/2`, { redirects: 0 });
  console.log(none.status, none.headers.Location, none.error, none.error_code);
  const one = http.get(`${base}/redirect/3`, { redirects: 1 });
  console.log(one.status, one.url.replace(base, ''), one.error);
  const own = new http.CookieJar();
  own.set(base, 'mine', 'true');
  const second = http.get(`${base}/cookies`, { jar: own, cookies: { extra: { value: 'x', replace: true }, seen: 'no' } });
  console.log(shown(second.json()));
  jar.clear(base);
  console.log(JSON.stringify(jar.cookiesForURL(base)), JSON.stringify(own.cookiesForURL(base)));
  jar.delete(base, 'nothing');
  check(second, { json: (x) => x.json() !== null });
  console.log(http.get(`${base}/redirect-loop`).error_code);
}
