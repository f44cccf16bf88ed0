// hashes of buffers and views.
import crypto from 'k6/crypto';

export default function () {
  const bytes = new Uint8Array([0, 1, 2, 253, 254, 255]);
  console.log(crypto.sha256(bytes.buffer, 'hex'), crypto.hmac('sha1', bytes.buffer, bytes.buffer, 'hex'));
  const h = crypto.createHash('md5');
  h.update(bytes.buffer);
  h.update('text');
  console.log(h.digest('hex'));
  for (const input of [bytes, bytes.subarray(1, 3), new Uint16Array([1, 2]), new DataView(bytes.buffer), [1, 2, 3]]) {
    try { console.log(crypto.md5(input, 'hex')); } catch (e) { console.log('threw', String(e).slice(0, 90)); }
  }
}
