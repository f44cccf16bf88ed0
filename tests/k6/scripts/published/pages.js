// Follow links and send a form, as a browser's user does.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  let res = http.get(`${__ENV.BASE}/links`);
  res = res.clickLink({ selector: 'a.next' });
  check(res, { 'next page': (r) => r.url.endsWith('/anything/next-page') });
  res = http.get(`${__ENV.BASE}/forms`).submitForm({ formSelector: '#one', fields: { name: 'ann' } });
  check(res, { 'form sent': (r) => r.json('method') === 'POST' });
  const links = http.get(`${__ENV.BASE}/links`).html().find('a').toArray().map((a) => a.attr('href'));
  console.log(links.length > 1, links[0]);
}
