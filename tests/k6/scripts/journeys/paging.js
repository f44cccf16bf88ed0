// Pages until the last one.
import http from 'k6/http';

export default function () {
  let page = 1;
  let items = 0;
  while (page) {
    const res = http.get(`${__ENV.BASE}/items?page=${page}&pages=4`, { tags: { name: 'items' } });
    items += res.json('items').length;
    page = res.json('next');
  }
  console.log(items);
}
