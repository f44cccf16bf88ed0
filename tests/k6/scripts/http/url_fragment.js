// A fragment stays with the client.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/anything/page#part`);
  console.log(res.json('path'), res.url, res.request.url);
}
