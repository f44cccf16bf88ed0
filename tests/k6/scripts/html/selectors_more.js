// attribute, nth and combinator selectors.
import { parseHTML } from 'k6/html';

const DOC = `<div id=top><ul id=a class="x y"><li id=l1 class=odd>one</li><li id=l2>two<b>!</b></li>text<li id=l3 class=odd>three</li></ul><ul id=b><li id=m1>uno</li><!-- c --><li id=m2>dos</li></ul><p id=p1>para</p></div><footer id=f><span>s1</span><span class=odd>s2</span></footer>`;

export default function () {
  const doc = parseHTML(DOC);
  const ids = (s) => s.toArray().map((e) => e.attr('id') || e.text()).join(',');
  for (const s of ['li:nth-child(2)', 'li:nth-child(odd)', 'li:nth-child(2n+1)', 'li:first-child', 'li:last-child', 'li:nth-last-child(1)', 'li:only-child', 'span:nth-of-type(2)',
    '[id^=l]', '[id$="2"]', '[id*=m]', '[class~=y]', '[class|=x]', 'li[class]', 'ul > li', '#a ~ p', '#a + ul', 'ul, p', 'li:not(.odd)', 'ul:has(b)', ':contains(three)', 'li:contains("o")',
    'b:empty', '*', 'div *:first-child', 'UL LI', '#L1', '.ODD', 'ul li:first-of-type', 'li:last-of-type', ':root']) {
    console.log(s, ids(doc.find(s)));
  }
}
