// filter, not, is, has with selectors and functions.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  console.log(ids(doc.find('li').filter('.odd')), ids(doc.find('li').not('.odd')), doc.find('li').is('.odd'), doc.find('#m1').is('.odd'));
  console.log(ids(doc.find('ul').has('b')), ids(doc.find('ul').has('#m1')), doc.find('li').has('i').size());
  console.log(ids(doc.find('li').filter((i, e) => i % 2 === 1)), ids(doc.find('li').not((i, e) => e.text().length > 3)), doc.find('li').is((i, e) => e.text() === 'dos'));
  console.log(ids(doc.find('li').filter(doc.find('.odd'))), ids(doc.find('li').not(doc.find('#b li'))), doc.find('#l1').is(doc.find('.odd')), ids(doc.find('ul').has(doc.find('b'))));
}
