// asyncRequest returns a promise.
import http from 'k6/http';

export default async function () {
  const res = await http.asyncRequest('GET', `${__ENV.BASE}/get`);
  console.log(res.status, res.json('method'));
  const posted = await http.asyncRequest('POST', `${__ENV.BASE}/post`, 'body', { headers: { 'X-A': '1' } });
  console.log(posted.json('body'), posted.json('headers.x-a'));
}
