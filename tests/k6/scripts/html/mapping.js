// map and each: arguments, results, early ends.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  console.log(JSON.stringify(doc.find('li').map((i, e) => `${i}:${e.text()}`)), JSON.stringify(doc.find('nope').map(() => 1)));
  console.log(JSON.stringify(doc.find('li').map((i, e) => (i === 1 ? undefined : i))), JSON.stringify(doc.find('li').map((i) => ({ i }))));
  let seen = '';
  doc.find('li').each((i, e) => { seen += `${i}${e.id()} `; return i < 2; });
  console.log(seen);
  let count = 0;
  doc.find('li').each(() => { count += 1; return false; });
  console.log(count, typeof doc.find('li').each(() => {}));
}
