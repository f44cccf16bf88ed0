// An array beside a file is one part, printed; without a file its key is repeated.
import http from 'k6/http';

export default function () {
  const file = http.file('data', 'n.txt', 'text/plain');
  const res = http.post(`${__ENV.BASE}/post`, { file, list: ['p', 'q'] });
  const [type, boundary] = res.request.headers['Content-Type'][0].split('; boundary=');
  console.log(type);
  const parts = res.request.body.split(`--${boundary}`).filter((part) => part.includes('name='));
  parts.sort().forEach((part) => console.log(JSON.stringify(part)));
  console.log(http.post(`${__ENV.BASE}/post`, { list: ['p', 'q'] }).request.body);
}
