// A token fetched once per user and kept in a module variable.
import http from 'k6/http';
import { check } from 'k6';

let token;

export const options = { scenarios: { each: { executor: 'per-vu-iterations', vus: 2, iterations: 4 } } };

export default function () {
  if (!token) {
    token = http.post(`${__ENV.BASE}/token`, JSON.stringify({ user: 'shared' })).json('token');
    console.log('got', token);
  }
  const res = http.get(`${__ENV.BASE}/private`, { headers: { Authorization: `Bearer ${token}` } });
  check(res, { 'let in': (r) => r.status === 200 });
}
