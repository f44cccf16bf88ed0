// bytes that are no text, decoded to text.
import encoding from 'k6/encoding';

export default function () {
  const coded = encoding.b64encode(new Uint8Array([104, 255, 254, 105, 0xc3]).buffer);
  const text = encoding.b64decode(coded, 'std', 's');
  console.log(coded, text.length, JSON.stringify(text));
}
