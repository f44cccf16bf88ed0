// attr, data, html, text of selections.
import { parseHTML } from 'k6/html';

export default function () {
  const doc = parseHTML(`<p id=one class="a b" title>x<b>y</b> z</p><p id=two>w</p>
<i data-text="hello" data-number="12.5" data-zeros="1.50" data-exp="1e3" data-negative="-7" data-yes="true" data-no="false" data-null="null"
 data-undefined="undefined" data-empty="" data-object='{"a":[1,{"b":null}]}' data-list="[1,2]" data-broken="{x" data-user-id="5" data-base-url-path="/p"
 data-foo-bar-baz="q" data-nan="NaN" data-big="12345678901234567890" other="1"></i><u></u>`);
  const p = doc.find('p');
  console.log(p.attr('id'), p.attr('title') === '', p.attr('nope'), p.attr('nope', 'default'), p.attr('nope', 5), p.attr('id', 'x'), doc.find('nope').attr('id'), doc.find('nope').attr('id', 'd'));
  console.log(p.attr('ID'), p.attr(), p.attr(undefined), p.attr(null));
  console.log(JSON.stringify([p.text(), p.html(), p.eq(1).html(), doc.find('nope').text(), doc.find('nope').html()]));
  const i = doc.find('i');
  for (const name of ['text', 'number', 'zeros', 'exp', 'negative', 'yes', 'no', 'null', 'undefined', 'empty', 'object', 'list', 'broken', 'userID', 'user-id', 'userId',
    'baseURLPath', 'base-url-path', 'fooBarBaz', 'foo-bar-baz', 'nan', 'big', 'nope', 'other']) {
    const value = i.data(name);
    console.log(name, typeof value, JSON.stringify(value));
  }
  const all = i.data();
  for (const name of Object.keys(all).sort()) console.log(name, typeof all[name], JSON.stringify(all[name]));
  console.log(JSON.stringify(p.data()), doc.find('u').data(), doc.find('u').data('x'), doc.find('nope').data(), p.data('id'));
  console.log(JSON.stringify(doc), doc.url === '', String(doc));
}
