// next, prev and their All and Until forms.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  console.log(ids(doc.find('#l1').next()), ids(doc.find('#l3').prev()), ids(doc.find('#l3').next()), ids(doc.find('#l1').prev()));
  console.log(ids(doc.find('#l1').nextAll()), ids(doc.find('#l3').prevAll()), ids(doc.find('#l1').nextAll('.odd')), ids(doc.find('#l3').prevAll('.odd')));
  console.log(ids(doc.find('#a').nextUntil('#p1')), ids(doc.find('#p1').prevUntil('#a')), ids(doc.find('#l1').nextUntil('.odd')), ids(doc.find('#a').nextUntil()));
  console.log(ids(doc.find('li').next()), ids(doc.find('li').prev('.odd')));
}
