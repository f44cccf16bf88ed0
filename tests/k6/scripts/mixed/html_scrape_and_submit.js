// A page scraped, a form filled, a link followed.
import http from 'k6/http';
import { parseHTML } from 'k6/html';
export default function () {
  const page = http.get(`${__ENV.BASE}/forms`);
  const doc = page.html();
  console.log(doc.find('form').size(), doc.find('input').toArray().map((e) => e.attr('name')).join());
  const sub = page.submitForm({ fields: { q: 'words' } });
  console.log(sub.status, sub.request.method);
  const links = http.get(`${__ENV.BASE}/links`);
  console.log(links.html('a').map((i, a) => a.attr('href')).join(), links.clickLink({ selector: 'a:nth-child(1)' }).status);
  const own = parseHTML('<ul id=l><li class="a b" data-n=5>One</li><li>Two <b>bold</b></li></ul><select name=s><option value=1>A<option value=2 selected>B</select>');
  console.log(own.find('li').first().data('n'), own.find('li').eq(1).text(), own.find('li').last().children().get(0).nodeName(), own.find('select').val(), own.find('li.a').is('.b'), own.find('li').index());
  own.find('li').each((i, e) => console.log(i, e.textContent(), e.classList ? e.classList().join() : ''));
  console.log(own.single ? own.single('li.a').text() : 'no single');
}
