// markup that is broken, as browsers mend it.
import { parseHTML } from 'k6/html';

const DOC = `<p>un<b>closed<i>tags</b>here</i><p>second<div>block in p</p></div><table><tr><td>cell<p>stray</table><li>lone<br/>x</br>y<img src=a><input value="q&quot;&#39;&copy;&nosuch;&amp;lt;"><!-- com --><![CDATA[c]]><?pi?><svg><g id=G><circle r=1 /></g></svg><math><mi>x</mi></math>\u00e9\ud83d\ude00 &nbsp;&#x41;&#0;&#999999;`;

export default function () {
  const doc = parseHTML(DOC);
  console.log(JSON.stringify(doc.html()));
  for (const s of ['p', 'b', 'i', 'div', 'td', 'li', 'br', 'svg', 'circle', 'mi']) console.log(s, doc.find(s).size(), JSON.stringify(doc.find(s).text()), JSON.stringify(doc.find(s).html()));
}
