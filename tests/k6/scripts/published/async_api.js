// Promises all the way.
import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 2 };

export default async function () {
  const [page, list] = await Promise.all([
    http.asyncRequest('GET', `${__ENV.BASE}/get`),
    http.asyncRequest('GET', `${__ENV.BASE}/json`),
  ]);
  check(page, { page: (r) => r.status === 200 });
  const prices = list.json('store.books.#.price');
  check(prices, { 'three books': (all) => all.length === 3 });
  for (const title of list.json('store.books').map(({ title }) => title)) {
    const res = await http.asyncRequest('POST', `${__ENV.BASE}/post`, { title });
    check(res, { posted: (r) => r.json('form.title') !== undefined });
  }
}
