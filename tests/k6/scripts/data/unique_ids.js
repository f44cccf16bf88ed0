// Unique ids from the user and the iteration.
import http from 'k6/http';
import { check } from 'k6';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } } };

export default function () {
  const id = __VU * 1000 + __ITER;
  const res = http.post(`${__ENV.BASE}/deers`, JSON.stringify({ userId: 7, deerId: id, data: 'x' }));
  check(res, { unique: (r) => r.json('code') === 'success' });
}
