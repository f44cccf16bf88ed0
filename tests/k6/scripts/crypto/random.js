// randomBytes: lengths and what differs.
import crypto from 'k6/crypto';

export default function () {
  const a = crypto.randomBytes(16), b = crypto.randomBytes(16);
  console.log(a instanceof ArrayBuffer, a.byteLength, crypto.sha1(a, 'hex') !== crypto.sha1(b, 'hex'));
  for (const n of [1, 0, -1, 1000, 'x', null, 2.7]) {
    try { console.log(String(n), crypto.randomBytes(n).byteLength); } catch (e) { console.log(String(n), 'threw', String(e)); }
  }
}
