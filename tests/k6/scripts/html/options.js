// options of a select: index, selected, text, label.
import { parseHTML } from 'k6/html';

const DOC = `<form id=f1 action="/send" method=post><input name=a value=1><input name=b type=checkbox checked><input name=c type=checkbox value=on2><input type=radio name=r value=r1><input type=radio name=r value=r2 checked>
<select name=s><option value=1>one<option value=2 selected>two</select><select name=m multiple><option selected>x<option selected value=yy>y<option>z</select>
<textarea name=t>line
two &amp; three</textarea><input name=d value=dis disabled><input type=submit name=go value=Go><button name=btn value=b1>B</button><input type=file name=up><input type=hidden name=h value="a b&c=d"><input value=noname><fieldset disabled><input name=in value=fs></fieldset></form><form id=f2></form><input id=lone name=lone value=alone>`;

export default function () {
  const doc = parseHTML(DOC);
  doc.find('option').each((i, o) => {
    const read = (f) => (typeof o[f] === 'function' ? JSON.stringify(o[f]()) : '-');
    console.log(i, ...['value', 'text', 'label', 'index', 'selected', 'defaultSelected', 'disabled'].map((f) => `${f}=${read(f)}`));
  });
  doc.find('select').each((i, s) => console.log(i, s.selectedIndex(), s.options().length, s.selectedOptions().length, s.length(), s.type(), JSON.stringify(s.value()), s.multiple()));
}
