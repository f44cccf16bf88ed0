// A login form, a session cookie, a page behind it.
import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 2 };

export default function () {
  const login = http.post(`${__ENV.BASE}/login`, { user: `ann${__ITER}`, password: 'secret' });
  check(login, { 'logged in': (r) => r.json('code') === 'success', 'got session': (r) => r.cookies.session.length === 1 });
  console.log(http.get(`${__ENV.BASE}/cookies`).json('cookies.session.0'));
  check(http.post(`${__ENV.BASE}/login`, { user: 'ann', password: 'wrong' }), { 'denied': (r) => r.status === 401 });
}
