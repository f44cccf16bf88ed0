// what map, each and filter do with other than functions.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const tried = (name, f) => { try { console.log(name, String(f())); } catch (e) { console.log(name, 'threw', String(e).slice(0, 55)); } };
  tried('map none', () => doc.find('li').map());
  tried('map text', () => doc.find('li').map('x'));
  tried('each number', () => doc.find('li').each(5));
  tried('each throws', () => doc.find('li').each(() => { throw new Error('own'); }));
  tried('map throws', () => doc.find('li').map(() => { throw new TypeError('mine'); }));
}
