// submitForm without such a form.
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/forms`);
  try {
    page.submitForm({ formSelector: '#nope' });
  } catch (error) {
    console.log(error.message);
  }
}
