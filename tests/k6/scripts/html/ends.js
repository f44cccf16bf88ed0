// end and chains of it.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  console.log(ids(doc.find('ul').find('li').end()), ids(doc.find('ul').children().first().end()), ids(doc.find('ul').children().first().end().end()));
  console.log(doc.find('ul').eq(0).end().size(), doc.end().size(), doc.end().end().size());
  console.log(ids(doc.find('li').filter('.odd').end().eq(1)), ids(doc.find('#l1').next().end()));
}
