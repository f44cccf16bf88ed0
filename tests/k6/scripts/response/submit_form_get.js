// submitForm of a GET form puts the fields into the query.
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/forms`);
  const seen = JSON.parse(page.submitForm({ formSelector: 'form#two' }).body);
  console.log(seen.method, seen.path, JSON.stringify(seen.query));
  const own = JSON.parse(page.submitForm({ formSelector: 'form#two', fields: { q: 'own' }, submitSelector: 'button' }).body);
  console.log(JSON.stringify(own.query));
}
