// elements of a form: type, checked, disabled, form, labels.
import { parseHTML } from 'k6/html';

const DOC = `<form id=f1 action="/send" method=post><input name=a value=1><input name=b type=checkbox checked><input name=c type=checkbox value=on2><input type=radio name=r value=r1><input type=radio name=r value=r2 checked>
<select name=s><option value=1>one<option value=2 selected>two</select><select name=m multiple><option selected>x<option selected value=yy>y<option>z</select>
<textarea name=t>line
two &amp; three</textarea><input name=d value=dis disabled><input type=submit name=go value=Go><button name=btn value=b1>B</button><input type=file name=up><input type=hidden name=h value="a b&c=d"><input value=noname><fieldset disabled><input name=in value=fs></fieldset></form><form id=f2></form><input id=lone name=lone value=alone>`;

export default function () {
  const doc = parseHTML(DOC);
  doc.find('input, select, textarea, button').each((i, e) => {
    const read = (f) => { try { const v = e[f](); return v === undefined ? 'undefined' : typeof v === 'object' && v !== null && v.id ? `<${v.nodeName()} ${v.id()}>` : JSON.stringify(v); } catch (x) { return 'none'; } };
    console.log(i, e.nodeName(), ...['name', 'type', 'value', 'checked', 'disabled', 'defaultValue', 'defaultChecked', 'form', 'multiple', 'readOnly', 'required', 'size', 'maxLength', 'formAction', 'formMethod'].map((f) => (typeof e[f] === 'function' ? `${f}=${read(f)}` : `${f}!`)));
  });
}
