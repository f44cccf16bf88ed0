// toArray and its parts are selections.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const parts = doc.find('li').toArray();
  console.log(Array.isArray(parts), parts.length, parts.map((p) => p.size()).join(), parts[1].find('b').text(), parts[0].next().text());
  console.log(parts.map((p) => p.attr('class') || '-').join(), doc.find('nope').toArray().length);
}
