// A string body gets no content type.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, 'just text: ü €');
  const seen = res.json();
  console.log(seen.body, seen.length, seen.headers['content-type'] === undefined);
}
