// The request as the response tells it.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/post?x=1`, 'payload', { headers: { 'X-One': '1' }, cookies: { c: 'v' } });
  const req = res.request;
  console.log(req.method, req.url, req.body);
  console.log(JSON.stringify(req.headers['X-One']), JSON.stringify(req.headers['Content-Length']));
  console.log(JSON.stringify(req.cookies.c));
  console.log(Object.keys(req).sort().join());
}
