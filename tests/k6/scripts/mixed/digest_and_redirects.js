// Digest log-in, redirects with limits, and headers that survive.
import http from 'k6/http';
const B = __ENV.BASE;
export const options = { maxRedirects: 3 };
export default function () {
  const url = B.replace('://', '://user:passwd@');
  console.log(http.get(`${url}/digest-auth/auth/user/passwd`, { auth: 'digest' }).status, http.get(`${url}/basic-auth/user/passwd`).status);
  for (const n of [1, 3, 4]) { const r = http.get(`${B}/redirect/${n}`, { headers: { 'X-Keep': 'k' } }); console.log(n, r.status, r.url.slice(B.length)); }
  const p = http.post(`${B}/redirect/1?code=307`, 'body'); console.log(p.status, p.request.method, p.json('method'), p.json('body'));
  const none = http.get(`${B}/redirect/2`, { redirects: 0 }); console.log(none.status, none.headers.Location);
  console.log(http.get(`${B}/redirect-loop`, { redirects: 2 }).status);
}
