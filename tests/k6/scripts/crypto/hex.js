// hexEncode of texts and bytes.
import crypto from 'k6/crypto';

export default function () {
  for (const input of ['', 'abc', '\u00e9', new Uint8Array([0, 15, 255]).buffer, new Uint8Array([1, 2])]) {
    try { console.log(crypto.hexEncode(input)); } catch (e) { console.log('threw', String(e).slice(0, 80)); }
  }
}
