// Authorization stays behind when the host changes.
import http from 'k6/http';

const port = __ENV.BASE.split(':')[2];
export const options = { hosts: { 'one.example': `127.0.0.1:${port}`, 'two.example': `127.0.0.1:${port}` } };

export default function () {
  const res = http.get(`http://one.example/redirect-to?url=${encodeURIComponent('http://two.example/anything')}`, {
    headers: { Authorization: 'Bearer abc', 'X-Own': '1' },
  });
  const seen = res.json();
  console.log(seen.headers.host, seen.headers.authorization, seen.headers['x-own']);
}
