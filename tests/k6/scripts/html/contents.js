// contents, texts and comments among them.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const nodes = doc.find('#a').contents();
  console.log(nodes.size(), nodes.text(), JSON.stringify(nodes.toArray().map((n) => n.text())));
  console.log(doc.find('#b').contents().size(), JSON.stringify(doc.find('#b').contents().toArray().map((n) => n.text())));
  console.log(doc.find('#p1').contents().size(), doc.find('#p1').contents().text(), doc.find('b').contents().html());
  doc.find('#a').contents().each((i, n) => console.log(i, n.nodeName(), n.nodeType(), n.nodeValue() === null ? 'null' : String(n.nodeValue())));
}
