// 300, 304 and 305 are not followed.
import http from 'k6/http';

export default function () {
  for (const code of [300, 304, 305]) {
    const res = http.get(`${__ENV.BASE}/redirect-to?code=${code}&url=/get`);
    console.log(res.status, res.url);
  }
}
