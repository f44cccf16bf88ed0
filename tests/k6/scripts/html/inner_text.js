// text and html of nested, mixed and void elements.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  console.log(JSON.stringify(doc.text()), JSON.stringify(doc.find('#a').text()), JSON.stringify(doc.find('ul').text()));
  console.log(JSON.stringify(doc.find('#a').html()), JSON.stringify(doc.find('#b').html()), JSON.stringify(doc.find('ul').html()));
  console.log(JSON.stringify(doc.html()));
}
