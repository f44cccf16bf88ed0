// children with and without a filter.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  console.log(ids(doc.find('#a').children()), ids(doc.find('ul').children()), ids(doc.find('ul').children('.odd')));
  console.log(ids(doc.find('#top').children('ul')), doc.find('#p1').children().size(), doc.find('nope').children().size());
}
