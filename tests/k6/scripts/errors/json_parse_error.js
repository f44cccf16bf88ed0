// JSON.parse of a page that is no JSON.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  const res = http.get(`${__ENV.BASE}/html`);
  JSON.parse(res.body);
  console.log('never');
}
