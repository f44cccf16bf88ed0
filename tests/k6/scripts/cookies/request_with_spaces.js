import http from 'k6/http';

// Values with spaces are sent in quotes, which are no part of them.
export default function () {
  const { BASE } = __ENV;
  http.cookieJar().set(BASE, 'mine', 'hello world');
  const { request } = http.get(`${BASE}/cookies`, { cookies: { own: 'a,b' } });
  for (const name of Object.keys(request.cookies).sort()) {
    console.log(name, JSON.stringify(request.cookies[name]));
  }
  console.log(request.headers.Cookie[0]);
}
