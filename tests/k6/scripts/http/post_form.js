// An object body is sent as a form with sorted keys.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, { zeta: '1', alpha: 'two words', list: ['x', 'y'], number: 7, yes: true, 'a&b': 'c=d' });
  const seen = res.json();
  console.log(seen.body);
  console.log(seen.headers['content-type'], seen.headers['content-length']);
  console.log(res.request.body);
}
