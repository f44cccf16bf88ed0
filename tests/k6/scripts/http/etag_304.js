// A conditional request.
import http from 'k6/http';

export default function () {
  const first = http.get(`${__ENV.BASE}/etag`);
  const second = http.get(`${__ENV.BASE}/etag`, { headers: { 'If-None-Match': first.headers['Etag'] } });
  console.log(first.status, first.body.trim(), second.status, JSON.stringify(second.body));
}
