// Selectors: those of CSS level 3, and those k6 adds.
import { parseHTML } from 'k6/html';

const page = `<body lang="en-GB"><div id="a" class="x y"><p class="x">One <b>two</b></p>
<p title="Quick Fox" data-n="1">Three</p><!-- c --><p></p></div>
<ul><li>1<li class="on">2<li>3<li>4</ul>
<fieldset disabled><input name="in"><legend><input name="late"></legend></fieldset>
<input type="Checkbox" checked><a href="/q">l</a><a>n</a><select><option selected>s<option>t</select>`;

export default function () {
  const doc = parseHTML(page);
  const selectors = [
    'p', 'P.x', '.x', '#a', 'div.x.y', 'div p', 'body > p', 'p + p', 'p ~ p', '*', 'p:not(.x)', 'p:not(.x, [title])',
    'div:has(b)', 'div:haschild(b)', 'p:haschild(b)', 'p:empty', 'html:root', 'a:link', 'p:lang(en)', 'p:lang(fr)',
    ':checked', 'input:disabled', 'input:enabled', ':input', 'p:only-of-type', 'b:only-child', 'p, li', 'a:hover',
    'li:first-child', 'li:last-child', 'li:nth-child(2)', 'li:nth-child(2n+1)', 'li:nth-child(odd)', 'li:nth-child(even)',
    'li:nth-child(-n+3)', 'li:nth-last-child(2)', 'p:nth-of-type(2)', 'p:first-of-type', 'p:last-of-type',
    '[title]', "p[title='Quick Fox']", 'p[title=quick]', 'p[title~=Fox]', 'p[title^=Quick]', 'p[title^=quick i]',
    'p[title$=Fox]', "p[title*='k F']", 'p[title!=x]', '[data-n="1"]', '[data-n=1]', '[lang|=en]', 'p[title#=^Q.*x$]',
    'p:contains(three)', 'p:contains("TWO")', 'p:containsOwn(two)', ':contains(three)', 'b:matches(^tw.$)', 'p:matchesOwn(^One)',
    '', '[', 'p:first', 'p::before', '>p', 'p >', 'p,', 'a[href=/q]', ':not(p', 'p:is(.x)', 'p:has(> b)', 'div /* c */ b',
    '#\\61', 'p:nth-child()', 'p:eq(0)', 'option[selected]', 'ul li.on ~ li', 'ul > li.on + li', 'input[name]:not([type])',
  ];
  for (const selector of selectors) {
    const found = doc.find(selector);
    console.log(selector, found.size(), JSON.stringify(found.text()));
  }
}
