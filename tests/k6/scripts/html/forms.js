// val and serialize*: what controls hold and forms would send.
import { parseHTML } from 'k6/html';

const page = `<form id=f action="/go">
<input name=text value="a b&c"><input name=bare><input type=hidden name=csrf value="t/1+2="><input type=password name=pw value=s>
<input type=checkbox name=c1 value=v1 checked="checked"><input type=checkbox name=c2 value=v2 checked><input type=checkbox name=c3><input type=checkbox name=c4 checked="checked">
<input type=radio name=r value=1><input type=radio name=r value=2 checked="checked"><input type=submit name=s value=Go><input type=button name=b value=B>
<input type=reset name=re value=R><input type=file name=fi><input type=image name=im><input value=noname><input name="" value=empty>
<input name=dis1 value=x disabled><input name=dis2 value=x disabled="disabled"><input name=same value=1><input name=same value=2>
<textarea name=ta>some <b>text</b> &amp; more</textarea><textarea name=ta2 value=attr></textarea>
<select name=se><option value=1>one<option value=2 selected>two</select><select name=none><option value=1>one</select><select name=plain><option selected>by text</option></select>
<select name=multi multiple><option value=1 selected>one<option value=2>two<option selected>three</select><select name=multinone multiple><option>a</select>
<button name=bu value=bv>Press</button><button name=bu2>Press</button><output name=o>out</output>
</form><input name=outside value=o>`;

export default function () {
  const doc = parseHTML(page);
  const form = doc.find('form');
  doc.find('input,textarea,select,option,button,output,form').each((index, element) => {
    console.log(index, element.nodeName(), JSON.stringify(doc.find('input,textarea,select,option,button,output,form').eq(index).val()));
  });
  console.log(form.serialize());
  console.log(JSON.stringify(form.serializeArray()));
  const object = form.serializeObject();
  for (const name of Object.keys(object).sort()) console.log(name, JSON.stringify(object[name]));
  console.log(doc.find('input').serialize(), doc.find('select').serialize(), JSON.stringify(doc.find('p').serialize()), JSON.stringify(doc.find('p').serializeArray()),
    JSON.stringify(doc.find('p').serializeObject()), doc.find('p').val());
}
