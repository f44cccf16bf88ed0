// Bodies that are none: null, undefined, empty string.
import http from 'k6/http';

export default function () {
  for (const body of [null, undefined, '']) {
    const seen = http.post(`${__ENV.BASE}/post`, body).json();
    console.log(JSON.stringify(seen.body), seen.length, seen.headers['content-length']);
  }
}
