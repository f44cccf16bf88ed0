// inputs that are neither text nor bytes.
import crypto from 'k6/crypto';

export default function () {
  for (const input of [null, undefined, 5, true, {}, { a: 1 }, () => 1]) {
    try { console.log(typeof input, crypto.md5(input, 'hex')); } catch (e) { console.log(typeof input, 'threw', String(e).slice(0, 90)); }
  }
}
