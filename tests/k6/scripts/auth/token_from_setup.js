// A token made in setup and used by everybody.
import http from 'k6/http';
import { check } from 'k6';

export const options = { vus: 2, iterations: 6 };

export function setup() {
  const res = http.post(`${__ENV.BASE}/token`, JSON.stringify({ user: 'setup' }));
  return { token: res.json('token') };
}

export default function (data) {
  const res = http.get(`${__ENV.BASE}/private`, { headers: { Authorization: `Bearer ${data.token}` } });
  check(res, { 'status 200': (r) => r.status === 200, 'is setup': (r) => r.json('user') === 'setup' });
}
