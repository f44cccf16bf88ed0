// PUT and DELETE over redirects.
import http from 'k6/http';

export default function () {
  for (const code of [301, 302, 303, 307, 308]) {
    const put = http.put(`${__ENV.BASE}/redirect/1?code=${code}`, 'payload').json();
    const del = http.del(`${__ENV.BASE}/redirect/1?code=${code}`).json();
    console.log(code, put.method, JSON.stringify(put.body), del.method);
  }
}
