// Sign in with a form, then use the session's cookie.
import http from 'k6/http';
import { check, group, fail } from 'k6';
import { randomItem } from 'https://jslib.k6.io/k6-utils/1.2.0/index.js';

const BASE_URL = __ENV.BASE;
const PEOPLE = ['ann'];

export const options = { vus: 1, iterations: 2 };

export default function () {
  group('01_login', () => {
    const res = http.post(`${BASE_URL}/login`, { user: randomItem(PEOPLE), password: 'secret' });
    if (!check(res, { 'logged in': (r) => r.json('code') === 'success' })) {
      fail('cannot log in');
    }
  });
  group('02_account', () => {
    const res = http.get(`${BASE_URL}/cookies`);
    const jar = http.cookieJar().cookiesForURL(BASE_URL);
    check(res, { 'has a session': () => jar.session[0] === 'ann' });
  });
}
