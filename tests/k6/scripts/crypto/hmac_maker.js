// createHMAC step by step.
import crypto from 'k6/crypto';

export default function () {
  const maker = crypto.createHMAC('sha512', 'key');
  maker.update('a');
  maker.update('b');
  console.log(maker.digest('hex') === crypto.hmac('sha512', 'key', 'ab', 'hex'), maker.digest('base64rawurl'));
  for (const [name, key] of [['nope', 'k'], ['sha1', null], ['sha1', undefined], ['sha1', 5]]) {
    try { const m = crypto.createHMAC(name, key); m.update('x'); console.log(name, String(key), m.digest('hex')); } catch (e) { console.log(name, String(key), 'threw', String(e).slice(0, 90)); }
  }
}
