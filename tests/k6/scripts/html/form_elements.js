// Elements of forms and their own methods.
import { parseHTML } from 'k6/html';

const page = `<form id=f method=post action=/go enctype=text/plain target=_top name=fn accept-charset=utf8 autocomplete=off novalidate>
<label id=l1 for=i1>L</label><label id=l2>W <input id=i1 name=n1 value=v1 type=email maxlength=9 size=3 tabindex=2 required readonly placeholder=ph pattern=x min=1 max=5 step=2 list=dl accept=a alt=al autofocus accesskey=k dirname=dn multiple></label>
<input id=i2 type=unknown><input id=i3 type=checkbox checked disabled list=dl>
<button id=b1>Send</button><button id=b2 type=button value=bv formaction=/other formmethod=POST formenctype=multipart/form-data formtarget=_self formnovalidate disabled autofocus tabindex=3 name=bn accesskey=z>B</button>
<select id=s1 name=sn required tabindex=4><option id=o1 value=1>one<option id=o2 selected>two<optgroup id=og label=ol disabled><option id=o3 label=lab>three</optgroup></select>
<select id=s2 multiple disabled autofocus><option selected>a<option selected>b</select><select id=s3></select>
<textarea id=t1 name=tn rows=3 cols=x maxlength=7 placeholder=tp value=tv wrap=hard readonly required autocomplete=off autocapitalize=words tabindex=5 accesskey=t>body</textarea><textarea id=t2></textarea>
<fieldset id=fs name=fsn disabled><legend id=lg accesskey=q>Lg</legend><input id=i4><object id=ob></object></fieldset>
<output id=ou name=on for="i1">42</output><meter id=me min=1 max=9 low=2 high=8 optimum=5></meter><progress id=pr value=2 max=8></progress><progress id=pr2></progress>
</form><datalist id=dl><option>x<option>y</datalist><input id=far form=f><input id=lost>`;
const shown = (element) => (element && element.nodeName ? `${element.nodeName()}#${element.id()}` : JSON.stringify(element));
const list = (elements) => `[${elements.map(shown).join()}]`;

export default function () {
  const doc = parseHTML(page);
  const read = (id, names) => {
    const element = doc.find(`#${id}`).get(0);
    for (const name of names.split(' ')) {
      const value = element[name]();
      console.log(id, name, Array.isArray(value) ? list(value) : shown(value));
    }
  };
  read('f', 'acceptCharset action autocomplete elements encoding enctype length method name noValidate target');
  read('i1', 'accept accessKey alt autocomplete autofocus checked defaultChecked defaultValue dirName disabled form formAction formEnctype formMethod formNoValidate formTarget height labels list max maxLength min multiple name pattern placeholder readonly required size src step tabIndex type value width');
  read('i2', 'type maxLength size tabIndex autocomplete labels list value');
  read('i3', 'type checked disabled list');
  read('i4', 'form labels');
  read('far', 'form');
  read('lost', 'form formAction formMethod');
  read('b1', 'type value form formAction formEnctype formMethod formNoValidate formTarget labels');
  read('b2', 'type value formAction formEnctype formMethod formNoValidate formTarget disabled autofocus tabIndex name accessKey');
  read('s1', 'autofocus disabled form labels length multiple name options required selectedIndex selectedOptions size tabIndex type value');
  read('s2', 'autofocus disabled length multiple selectedIndex selectedOptions size type value');
  read('s3', 'length selectedIndex value');
  read('o1', 'defaultSelected disabled form index label selected text value');
  read('o2', 'defaultSelected disabled index label selected text value');
  read('o3', 'disabled index label text value');
  read('og', 'disabled label');
  read('t1', 'accessKey autocapitalize autocomplete cols defaultValue form labels length maxLength name placeholder readOnly required rows tabIndex type value wrap'.replace(' name', ''));
  read('t2', 'autocapitalize autocomplete cols length maxLength rows value wrap');
  read('fs', 'disabled elements form name type validity');
  read('lg', 'accessKey form');
  read('ob', 'form');
  read('l1', 'control form htmlFor');
  read('l2', 'control form htmlFor');
  read('dl', 'options');
  read('ou', 'defaultValue form htmlFor labels name type value');
  read('me', 'high labels low max min optimum');
  read('pr', 'labels max position value');
  read('pr2', 'max position value');
}
