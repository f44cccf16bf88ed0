// 301, 302 and 303 turn POST into GET; 307 and 308 keep it.
import http from 'k6/http';

export default function () {
  for (const code of [301, 302, 303, 307, 308]) {
    const res = http.post(`${__ENV.BASE}/redirect/1?code=${code}`, 'payload');
    const seen = res.json();
    console.log(code, seen.method, JSON.stringify(seen.body), res.request.method, seen.headers['content-length']);
  }
}
