// A feed read with the HTML parser, tables and forms of a page, attributes and text.
import http from 'k6/http';
import { parseHTML } from 'k6/html';
const feed = open('./data/catalogue.xml');
export default function () {
  const doc = parseHTML(feed);
  const items = doc.find('item');
  console.log(items.size(), items.map((i, el) => `${i}:${el.attr('sku')}=${el.text()}`).join('; '));
  console.log(items.first().attr('price'), items.last().html(), doc.find('note').text(), items.eq(5).attr('x'));
  console.log(items.filter((i, el) => Number(el.attr('price')) > 5).text(), items.not('[sku="a-1"]').size(), items.is('[sku^="b"]'));
  items.each((i, el) => console.log(i, el.nodeName?.(), el.textContent?.(), el.getAttribute?.('sku')));
  const page = http.get(`${__ENV.BASE}/html`).html();
  console.log(page.find('title').text(), page.find('a').toArray().length, page.find('p').children().size());
  const form = http.get(`${__ENV.BASE}/forms`).html().find('form').first();
  console.log(Object.keys(form.serializeObject()).sort().join(), form.serialize().length, form.serializeArray().length);
  console.log(form.find('select').val(), form.find('textarea').val(), form.closest('body').size(), form.parent().size());
  const t = parseHTML('<table><tr><td data-n="1" data-deep-name=\'{"a":1}\'>x<td>y</table>');
  console.log(t.find('td').first().data('n'), Object.keys(t.find('td').first().data()).sort().join(), t.find('tbody').size(), t.find('td').slice(1).text());
}
