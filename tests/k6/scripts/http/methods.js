// Every method helper sends its method, with and without a body.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/anything`;
  const answers = [
    http.get(url),
    http.post(url, 'posted'),
    http.put(url, 'put'),
    http.patch(url, 'patched'),
    http.del(url),
    http.del(url, 'deleted with a body'),
    http.options(url),
    http.options(url, 'asked'),
    http.request('GET', url),
    http.request('report', url, 'own method'),
  ];
  for (const res of answers) {
    const seen = res.json();
    console.log(res.request.method, seen.method, JSON.stringify(seen.body), seen.headers['content-length']);
  }
}
