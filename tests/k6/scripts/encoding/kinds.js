// alphabets and formats that are none.
import encoding from 'k6/encoding';

export default function () {
  for (const kind of ['STD', '', 'hex', null, 5, {}]) {
    try { console.log(JSON.stringify(kind), encoding.b64encode('~~~???', kind), encoding.b64decode('fn5-Pz8_', 'url', 's')); } catch (e) { console.log(JSON.stringify(kind), 'threw', String(e).slice(0, 80)); }
  }
  for (const format of ['s', 'b', '', 'x', undefined, null]) {
    const out = encoding.b64decode('Zm9v', 'std', format);
    console.log(String(format), typeof out, out instanceof ArrayBuffer, typeof out === 'string' ? out : out.byteLength);
  }
}
