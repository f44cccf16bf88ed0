// html(): text, attributes and counts of a page.
import http from 'k6/http';

export default function () {
  const doc = http.get(`${__ENV.BASE}/html`).html();
  console.log(doc.find('title').text());
  console.log(doc.find('h1').attr('class'), doc.find('h1').attr('nope'));
  console.log(doc.find('li').size(), doc.find('li.picked').text(), doc.find('li').first().text(), doc.find('li').last().text());
  console.log(doc.find('h1').html(), doc.find('p').eq(1).text());
  doc.find('li').each((index, element) => console.log(index, element.textContent(), element.getAttribute('data-id')));
}
