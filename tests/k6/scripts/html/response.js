// res.html(): addresses are resolved against the URL of the response.
import http from 'k6/http';
import { parseHTML } from 'k6/html';

export default function () {
  const base = __ENV.BASE;
  const without = (text) => String(text).split(base).join('BASE');
  const res = http.get(`${base}/links?x=1`);
  const doc = res.html();
  console.log(without(doc.url), without(doc.find('a').url), parseHTML(res.body).url === '');
  doc.find('a').each((index, a) => console.log(index, without(a.href()), a.pathname(), a.search(), a.hash(), without(a.origin()), a.protocol(), a.host() === base.slice(7), a.port() !== ''));
  console.log(res.html('a').size(), res.html('a').first().text(), res.html('nope').size(), res.html(undefined).size(), res.html('').size());
  const forms = http.get(`${base}/forms`).html();
  forms.find('form').each((index, form) => console.log(index, without(form.action()), form.method(), form.enctype(), form.length()));
  forms.find('input,button').each((index, field) => console.log(index, field.name(), without(field.formAction()), field.formMethod(), field.type ? field.type() : ''));
  console.log(forms.find('form').toArray().map((form) => form.serialize()).join(' | '));
  const failed = http.get('http://127.0.0.1:1/', { timeout: '1s' });
  try {
    failed.html();
  } catch (error) {
    console.log(error.message);
  }
  console.log(JSON.stringify(http.get(`${base}/html`, { responseType: 'binary' }).html('title').text()), JSON.stringify(http.get(`${base}/json`).html('p').text()));
}
