// Create, read, change, delete.
import http from 'k6/http';
import { describe } from './lib/describe.js';
import { check } from 'k6';
import { uuidv4, randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const params = { headers: { 'Content-Type': 'application/json' }, responseType: 'text' };

export default function () {
  const id = `${uuidv4().length}${randomIntBetween(7, 7)}`;
  describe('create', () => {
    const res = http.post(`${__ENV.BASE}/post?id=${id}`, JSON.stringify({ id }), params);
    check(res, { created: (r) => r.json('json.id') === id });
  });
  describe('change', () => {
    check(http.put(`${__ENV.BASE}/put`, JSON.stringify({ id, name: 'x' }), params), { changed: (r) => r.json('method') === 'PUT' });
    check(http.patch(`${__ENV.BASE}/patch`, '{}', params), { patched: (r) => r.status === 200 });
  });
  describe('delete', () => {
    check(http.del(`${__ENV.BASE}/delete`, null, params), { deleted: (r) => r.status === 200 });
  });
}
