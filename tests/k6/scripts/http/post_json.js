// A JSON body with its header, read back from the echo.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const payload = JSON.stringify({ name: 'deck', tags: ['a', 'b'], nested: { on: true } });
  const res = http.post(`${__ENV.BASE}/post`, payload, { headers: { 'Content-Type': 'application/json' } });
  check(res, { 'is 200': (r) => r.status === 200, 'name came back': (r) => r.json('json.name') === 'deck' });
  console.log(JSON.stringify(JSON.parse(res.body).json), res.json('length'), res.json('headers.content-type'));
}
