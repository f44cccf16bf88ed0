// selectors that are none.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  for (const s of ['', ' ', '[', 'li[', '>', 'li >', ':nope', 'li:nth-child(x)', '#', '.', 'li::before', '!', ',', 'a,', '[a=b', '::']) {
    try { console.log(JSON.stringify(s), doc.find(s).size()); } catch (e) { console.log(JSON.stringify(s), 'threw'); }
  }
}
