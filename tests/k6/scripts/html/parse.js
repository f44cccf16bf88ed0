// parseHTML: what documents become, and how they read back.
import { parseHTML } from 'k6/html';

export default function () {
  const cases = [
    '',
    'just text',
    '<p>one<p>two',
    '<b><i>crossed</b></i>',
    '<table><td>cell<tr><td>next</table>',
    '<ul><li>1<li>2</ul>',
    '<br><img src=a.png alt=\'x "y"\'><hr/>',
    '&lt;&amp;&copy;&#39;&#x41; a & b < c',
    '<!DOCTYPE html><title>t</title><body class=b>',
    '<script>if (a < b && c) {}</script><style>a > b {}</style>',
    '<textarea>\n\nkept</textarea><pre>\nline</pre>',
    '<!-- a comment --><div><!--inner--></div>',
    '<svg viewBox="0 0 1 1"><circle r=1 /></svg>',
    '<template><p>in</p></template>',
    '<noscript><p>no</p></noscript>',
    '<p a=1 A=2 b>dup</p>',
    'é 漢字 \u{1F600}',
    '<table><div>fostered</div><tr><td>x</table>',
    '<a href="1">one<a href="2">two',
    '<select><option>a<option selected>b</select>',
  ];
  for (const source of cases) {
    const doc = parseHTML(source);
    console.log(JSON.stringify(doc.html()), JSON.stringify(doc.text()), doc.find('*').size());
  }
  console.log(parseHTML().find('body').size(), parseHTML(null).text() === '', parseHTML(12).text());
  try {
    parseHTML('<div>'.repeat(600));
  } catch (error) {
    console.log(error.message);
  }
  console.log(parseHTML('<div>'.repeat(400)).find('div').size());
}
