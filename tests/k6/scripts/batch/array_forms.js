// batch of an array: text, arrays, objects.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/anything`;
  const answers = http.batch([
    `${url}/plain`,
    ['POST', `${url}/array`, 'from an array', { headers: { 'X-In': 'array' } }],
    { method: 'PUT', url: `${url}/object`, body: 'from an object', params: { headers: { 'X-In': 'object' } } },
    ['GET', `${url}/no-body`],
    ['GET', `${url}/null-body`, null, { tags: { a: 'b' } }],
  ]);
  console.log(Array.isArray(answers), answers.length);
  answers.forEach((r) => console.log(r.json('method'), r.json('path'), r.json('body'), r.json('headers.x-in')));
}
