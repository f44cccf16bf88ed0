// entities in texts and attributes.
import { parseHTML } from 'k6/html';

const DOC = `<p>un<b>closed<i>tags</b>here</i><p>second<div>block in p</p></div><table><tr><td>cell<p>stray</table><li>lone<br/>x</br>y<img src=a><input value="q&quot;&#39;&copy;&nosuch;&amp;lt;"><!-- com --><![CDATA[c]]><?pi?><svg><g id=G><circle r=1 /></g></svg><math><mi>x</mi></math>\u00e9\ud83d\ude00 &nbsp;&#x41;&#0;&#999999;`;

export default function () {
  const doc = parseHTML(DOC);
  console.log(JSON.stringify(doc.find('input').attr('value')), JSON.stringify(doc.find('input').val()), doc.find('g').attr('id'), doc.find('circle').attr('r'));
  console.log(JSON.stringify(doc.find('body').text().slice(-20)));
}
