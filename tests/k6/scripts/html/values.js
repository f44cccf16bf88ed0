// val of every kind of control.
import { parseHTML } from 'k6/html';

const DOC = `<form id=f1 action="/send" method=post><input name=a value=1><input name=b type=checkbox checked><input name=c type=checkbox value=on2><input type=radio name=r value=r1><input type=radio name=r value=r2 checked>
<select name=s><option value=1>one<option value=2 selected>two</select><select name=m multiple><option selected>x<option selected value=yy>y<option>z</select>
<textarea name=t>line
two &amp; three</textarea><input name=d value=dis disabled><input type=submit name=go value=Go><button name=btn value=b1>B</button><input type=file name=up><input type=hidden name=h value="a b&c=d"><input value=noname><fieldset disabled><input name=in value=fs></fieldset></form><form id=f2></form><input id=lone name=lone value=alone>`;

export default function () {
  const doc = parseHTML(DOC);
  for (const name of ['a', 'b', 'c', 'r', 's', 'm', 't', 'd', 'go', 'btn', 'up', 'h', 'in', 'lone']) {
    const found = doc.find(`[name=${name}]`);
    console.log(name, found.size(), JSON.stringify(found.val()), found.toArray().map((e) => JSON.stringify(e.val())).join());
  }
  console.log(doc.find('option').val(), doc.find('form').val(), doc.find('nope').val());
}
