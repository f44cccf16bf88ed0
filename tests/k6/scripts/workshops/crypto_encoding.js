// Hashes and codings in all their forms: strings, buffers, typed arrays, what is refused.
import crypto from 'k6/crypto';
import encoding, { b64encode } from 'k6/encoding';
export default function () {
  const text = '하중선 ⚓';
  const bytes = new Uint8Array([0, 255, 128]);
  for (const algo of ['md4', 'md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'ripemd160']) {
    console.log(algo, crypto[algo](text, 'hex').slice(0, 16), crypto.hmac(algo, 'key', bytes.buffer, 'base64').slice(0, 12));
  }
  const h = crypto.createHash('sha256'); h.update('a'); h.update(bytes); h.update(new ArrayBuffer(2));
  console.log(h.digest('base64url'), h.digest('base64rawurl'), h.digest('binary').byteLength);
  const m = crypto.createHMAC('sha1', bytes.buffer); m.update('x'); console.log(m.digest('hex'));
  console.log(crypto.randomBytes(5).byteLength, crypto.hexEncode(bytes));
  for (const f of ['std', 'rawstd', 'url', 'rawurl']) console.log(f, b64encode(bytes, f), encoding.b64encode(text, f), encoding.b64decode(b64encode(text, f), f, 's') === text);
  console.log(new Uint8Array(encoding.b64decode('AP+A')).join());
  for (const f of [() => crypto.md5({}), () => crypto.md5(5, 'hex'), () => crypto.md5('a', 'nope'), () => crypto.randomBytes(-1), () => encoding.b64decode('*'), () => encoding.b64decode('AP', 'nope'), () => crypto.hmac('sha1', null, 'a', 'hex'), () => crypto.hmac('nope', 'k', 'a', 'hex'), () => crypto.md5()]) {
    try { console.log('gave', JSON.stringify(f())); } catch (e) { console.log(e.name, e.message ?? e); }
  }
}
