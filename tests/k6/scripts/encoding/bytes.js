// bytes there and back.
import encoding from 'k6/encoding';

export default function () {
  const bytes = new Uint8Array(256).map((_, i) => i);
  for (const kind of ['std', 'rawstd', 'url', 'rawurl']) {
    const coded = encoding.b64encode(bytes.buffer, kind);
    const back = new Uint8Array(encoding.b64decode(coded, kind));
    console.log(kind, coded.length, back.length, back.every((b, i) => b === i));
  }
  for (const input of [bytes, bytes.subarray(3, 9), new DataView(bytes.buffer), [1, 2]]) {
    try { console.log(encoding.b64encode(input)); } catch (e) { console.log('threw', String(e).slice(0, 80)); }
  }
}
