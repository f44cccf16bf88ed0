// A token from set-up, for everybody.
import http from 'k6/http';
import { check } from 'k6';

export const options = { vus: 2, iterations: 4, setupTimeout: '10s' };

export function setup() {
  const res = http.post(`${__ENV.BASE}/token`, JSON.stringify({ user: 'ci' }));
  if (res.status !== 200) {
    throw new Error(`no token: ${res.status}`);
  }
  return { token: res.json().token };
}

export default function ({ token }) {
  const res = http.get(`${__ENV.BASE}/private`, { headers: { Authorization: `Bearer ${token}` } });
  check(res, { 'status is 200': ({ status }) => status === 200, 'is ci': (r) => r.json('user') === 'ci' });
}

export function teardown(data) {
  console.log(`token was ${data.token}`);
}
