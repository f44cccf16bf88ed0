// Batches of every form, with files and own tags.
import http from 'k6/http';
import { check } from 'k6';
const B = __ENV.BASE;
export default function () {
  const a = http.batch([`${B}/get`, ['POST', `${B}/post`, { a: '1', b: ['x', 'y'] }, { tags: { n: 'p' } }], { method: 'PUT', url: `${B}/put`, body: 'raw', params: { headers: { 'Content-Type': 'text/plain' } } }, ['GET', `${B}/status/404`]]);
  console.log(a.map((r) => r.status).join(), a[1].json('form.b.#'), a[2].json('body'));
  const o = http.batch({ first: `${B}/get?x=1`, second: { method: 'DELETE', url: `${B}/delete` }, third: ['HEAD', `${B}/get`] });
  console.log(Object.keys(o).sort().join(), o.first.json('query.x'), o.second.status, o.third.body === null, o.third.headers['Content-Type']);
  check(o, { all: (x) => Object.values(x).every((r) => r.status === 200) });
  const f = http.post(`${B}/post`, { doc: http.file('content', 'doc.txt', 'text/plain'), note: 'n' });
  console.log(f.status, JSON.stringify(f.json('multipart')).length > 10);
  try { console.log(http.batch(null)); } catch (e) { console.log(e.message); }
  try { console.log(JSON.stringify(http.batch([]))); } catch (e) { console.log(e.message); }
  try { console.log(http.batch([5])[0].error_code); } catch (e) { console.log(e.message); }
}
