// res.cookies and the attributes in it.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/cookies/set-attrs?name=sid&value=abc&path=/cookies&max_age=3600&http_only=1&same_site=Lax`);
  const cookie = res.cookies.sid[0];
  console.log(cookie.name, cookie.value, cookie.path, cookie.domain, cookie.max_age, cookie.http_only, cookie.secure, cookie.expires);
  console.log(Object.keys(cookie).sort().join());
}
