// submitForm: fields of the page, own values, method and action of the form.
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/forms`);
  const res = page.submitForm({ formSelector: '#one', fields: { user: 'ann', password: 'pw' } });
  const seen = JSON.parse(res.body);
  console.log(res.status, seen.method, seen.path, seen.body);
}
