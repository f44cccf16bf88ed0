// parseHTML of other than a page.
import { parseHTML } from 'k6/html';

export default function () {
  const tried = (name, f) => { try { const d = f(); console.log(name, d.size(), JSON.stringify(d.html()), JSON.stringify(d.text())); } catch (e) { console.log(name, 'threw', String(e).slice(0, 80)); } };
  tried('empty', () => parseHTML(''));
  tried('text', () => parseHTML('just text'));
  tried('number', () => parseHTML(12));
  tried('none', () => parseHTML());
  tried('null', () => parseHTML(null));
  tried('buffer', () => parseHTML(new Uint8Array([60, 98, 62, 120]).buffer));
  tried('object', () => parseHTML({ a: 1 }));
  tried('comment', () => parseHTML('<!-- only -->'));
  tried('fragment', () => parseHTML('<td>x</td>'));
  tried('frameset', () => parseHTML('<frameset><frame src=a></frameset>'));
}
