// a large body there and back.
import encoding from 'k6/encoding';

export default function () {
  const text = 'loadline '.repeat(20000);
  const coded = encoding.b64encode(text);
  console.log(coded.length, encoding.b64decode(coded, 'std', 's') === text);
}
