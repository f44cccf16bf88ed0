// Random parts of requests.
// @args --vus 2 --iterations 10
import http from 'k6/http';
import { check } from 'k6';
import { randomIntBetween, uuidv4 } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

export default function () {
  const res = http.post(`${__ENV.BASE}/deers`, JSON.stringify({ userId: uuidv4(), deerId: randomIntBetween(1, 9), data: 1 }));
  check(res, { ok: (r) => r.json('code') === 'success' });
}
