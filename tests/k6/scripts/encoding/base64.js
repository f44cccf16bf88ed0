// each alphabet there and back.
import encoding from 'k6/encoding';

export default function () {
  for (const kind of ['std', 'rawstd', 'url', 'rawurl', undefined]) {
    for (const text of ['', 'f', 'fo', 'foo', 'foob', '\u00e9\u4e2d\ud83d\ude00', '??>>~~']) {
      const coded = kind === undefined ? encoding.b64encode(text) : encoding.b64encode(text, kind);
      const back = kind === undefined ? encoding.b64decode(coded, 'std', 's') : encoding.b64decode(coded, kind, 's');
      console.log(String(kind), JSON.stringify(text), coded, back === text);
    }
  }
}
