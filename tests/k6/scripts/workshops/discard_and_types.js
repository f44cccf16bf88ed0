// discardResponseBodies with responseType per request, text, binary and none, html() and json() of what is not there.
import http from 'k6/http';
export const options = { discardResponseBodies: true };
export default function () {
  const b = __ENV.BASE;
  const none = http.get(`${b}/json`);
  console.log(none.body, none.status, none.headers['Content-Type']);
  try { none.json(); } catch (e) { console.log('json', e.message ?? e); }
  try { console.log(none.html().find('a').size()); } catch (e) { console.log('html', e.message ?? e); }
  const text = http.get(`${b}/json`, { responseType: 'text' });
  console.log(typeof text.body, text.json('store.name'), text.json('store.books.#(price>10)#.title').join(), text.json('nothing'));
  const bin = http.get(`${b}/bytes/16?seed=3`, { responseType: 'binary' });
  console.log(bin.body instanceof ArrayBuffer, bin.body.byteLength, new Uint8Array(bin.body).length);
  try { console.log(bin.json()); } catch (e) { console.log('binary json', (e.message ?? String(e)).slice(0, 60)); }
  try { http.get(`${b}/get`, { responseType: 'blob' }); } catch (e) { console.log('blob', e.message ?? e); }
  console.log(http.get(`${b}/gzip/100`, { responseType: 'text' }).body.length > 0, http.get(`${b}/latin1`, { responseType: 'text' }).body.length);
}
