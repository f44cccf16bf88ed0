// json() with gjson paths.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json`);
  const show = (path) => console.log(path, JSON.stringify(res.json(path)));
  show('store.name');
  show('store.open');
  show('store.rating');
  show('store.owner');
  show('store.books.#');
  show('store.books.0.title');
  show('store.books.#.title');
  show('store.books.1.tags.0');
  show('store.books.#(price>10).title');
  show('store.books.#(price>10)#.title');
  show('friends.#(last=="Lee")#.first');
  show('friends.#(first%"B*").age');
  show('friends.#.nets.#');
  show('fav\\.movie');
  show('store.n*me');
  show('store.books.-1');
  show('count');
}
