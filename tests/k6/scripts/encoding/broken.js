// codes that are none.
import encoding from 'k6/encoding';

export default function () {
  for (const code of ['A', 'AA', 'AAA', 'AA==', 'AAA=', '!!!!', 'AAAA\n', ' AAAA', 'A A A A', 'AA=A', '====', '-_-_', '+/+/']) {
    for (const kind of ['std', 'rawstd', 'url', 'rawurl']) {
      try { console.log(JSON.stringify(code), kind, JSON.stringify(encoding.b64decode(code, kind, 's'))); } catch (e) { console.log(JSON.stringify(code), kind, 'threw', String(e)); }
    }
  }
}
