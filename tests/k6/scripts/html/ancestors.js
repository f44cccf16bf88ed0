// parent, parents, parentsUntil, closest.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  console.log(ids(doc.find('#l1').parent()), ids(doc.find('li').parent()), ids(doc.find('li').parent('#b')), ids(doc.find('b').parents()));
  console.log(doc.find('b').parents().size(), ids(doc.find('b').parents('ul')), ids(doc.find('b').parentsUntil('#top')), ids(doc.find('b').parentsUntil('ul', 'li')));
  console.log(ids(doc.find('b').closest('ul')), ids(doc.find('b').closest('b')), doc.find('b').closest('footer').size(), ids(doc.find('li').closest('ul')));
}
