// eq, first, last, get, slice, size with edges.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  const li = doc.find('li');
  console.log(ids(li.eq(0)), ids(li.eq(-1)), li.eq(99).size(), li.eq(-99).size(), ids(li.first()), ids(li.last()));
  console.log(li.get(1).id(), li.get(-1) === undefined ? 'none' : li.get(-1).id(), li.get(99), li.get().length);
  console.log(ids(li.slice(1, 3)), ids(li.slice(2)), ids(li.slice(-2)), ids(li.slice(1, -1)));
  console.log(li.size(), li.length, doc.find('nope').first().size(), doc.find('nope').last().size(), doc.find('nope').get(0));
}
