// A batch as array of arrays, of objects and as an object, mixed with files, names and what is wrong.
import http from 'k6/http';
import { check } from 'k6';
export const options = { batch: 4, batchPerHost: 2, thresholds: { 'http_reqs{name:three}': ['count==2'] } };
const b = __ENV.BASE;
export default function () {
  const list = http.batch([
    ['GET', `${b}/get?a=1`, null, { tags: { name: 'three' } }],
    ['POST', `${b}/post`, { x: '1', y: ['2', '3'] }],
    { method: 'PUT', url: `${b}/put`, body: 'raw', params: { headers: { 'X-A': 'é' } } },
    `${b}/status/404`,
    ['DELETE', http.url`${b}/delete/${7}`],
  ]);
  console.log(list.map((r) => r.status).join(), list[1].json('form.y').join('+'), list[2].json('body'), list[4].request.method);
  const named = http.batch({ one: `${b}/get`, two: { method: 'GET', url: `${b}/get`, params: { tags: { name: 'three' }, responseType: 'none' } } });
  console.log(Object.keys(named).sort().join(), named.two.body, named.one.json('path'));
  check(named.one, { ok: (r) => r.status === 200 });
  console.log(JSON.stringify(http.batch([])), JSON.stringify(http.batch({})));
  for (const bad of [undefined, 5, 'x', [[1]], [{}], [['GET']]]) {
    try { const r = http.batch(bad); console.log('batch', JSON.stringify(r).slice(0, 60)); } catch (e) { console.log(String(e.message ?? e).slice(0, 120)); }
  }
}
