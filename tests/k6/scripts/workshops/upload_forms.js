// Multipart with files of several kinds, by hand and by k6's own, and their sizes.
import http from 'k6/http';
const bin = open('./data/users.csv', 'b');
const text = open('./data/catalogue.xml');
export default function () {
  const b = __ENV.BASE;
  const r = http.post(`${b}/post`, { name: 'Kim', file: http.file(bin, 'users.csv', 'text/csv'), more: http.file('plain', 'p.txt'), nameless: http.file(new Uint8Array([104, 105]).buffer) });
  const parts = r.json('multipart');
  console.log(r.status, parts.map((p) => JSON.stringify(p).replace(/[0-9a-f]{16,}/g, 'H').replace(/"filename":"[0-9]+"/, 'F')).sort().join('\n').slice(0, 700));
  console.log(r.request.headers['Content-Type'][0].replace(/boundary=.*/, 'boundary='), bin.byteLength, text.length);
  const boundary = 'line-1';
  const hand = [`--${boundary}`, 'Content-Disposition: form-data; name="doc"; filename="c.xml"', 'Content-Type: application/xml', '', text, `--${boundary}--`, ''].join('\r\n');
  const s = http.post(`${b}/post`, hand, { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } });
  console.log(JSON.stringify(s.json('multipart')).length, s.json('length') === hand.length);
  const empty = http.post(`${b}/post`, {}, {});
  console.log(empty.json('length'), empty.request.headers['Content-Type'], empty.request.body);
  const blank = http.post(`${b}/post`, { a: null, b: undefined, c: '', d: true, e: 1.50, f: { g: 1 } });
  console.log(blank.request.body.split('&').sort().join('&'));
}
