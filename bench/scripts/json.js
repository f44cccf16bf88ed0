// Checks that read an answer of 20 items: once parsed, twice by selector.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  check(res, {
    'has 20 items': (r) => r.json().items.length === 20,
    'first is item 1': (r) => r.json('items.0.name') === 'item 1',
    'last is in stock': (r) => r.json('items.19.stock') === 19,
  });
}
