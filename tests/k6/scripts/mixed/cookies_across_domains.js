// Jars of one's own, cookies in requests, and what the response tells.
import http from 'k6/http';
const B = __ENV.BASE;
export const options = { iterations: 2 };
export default function () {
  const jar = http.cookieJar();
  jar.set(B, 'a', '1', { path: '/', max_age: 600, http_only: true });
  const r = http.get(`${B}/anything`, { cookies: { b: '2', a: { value: 'mine', replace: true } } });
  console.log(r.json('headers.cookie'), JSON.stringify(r.request.cookies));
  const own = new http.CookieJar(); own.set(B, 'c', '3');
  console.log(http.get(`${B}/anything`, { jar: own }).json('headers.cookie'), JSON.stringify(own.cookiesForURL(B)), JSON.stringify(jar.cookiesForURL(B)));
  http.get(`${B}/cookies/set?d=4`);
  console.log(JSON.stringify(jar.cookiesForURL(`${B}/`)));
  jar.delete(B, 'a'); jar.clear(B);
  console.log(JSON.stringify(jar.cookiesForURL(B)), typeof http.get(`${B}/anything`).json('headers.cookie'));
}
