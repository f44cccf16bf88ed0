// inputs that are neither text nor bytes.
import encoding from 'k6/encoding';

export default function () {
  for (const input of [null, undefined, 5, true, {}, [], () => 1]) {
    try { console.log(typeof input, encoding.b64encode(input)); } catch (e) { console.log(typeof input, 'encode threw', String(e).slice(0, 80)); }
    try { console.log(typeof input, typeof encoding.b64decode(input)); } catch (e) { console.log(typeof input, 'decode threw', String(e).slice(0, 80)); }
  }
}
