// Own headers travel along; Referer is set by the hop.
import http from 'k6/http';

export default function () {
  const seen = http.get(`${__ENV.BASE}/redirect/1`, { headers: { 'X-Own': 'kept', Authorization: 'Bearer abc' } }).json();
  console.log(seen.headers['x-own'], seen.headers.authorization, seen.headers.referer !== undefined);
}
