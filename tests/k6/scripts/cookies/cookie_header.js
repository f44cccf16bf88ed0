// A Cookie header written by hand.
import http from 'k6/http';

export default function () {
  const seen = http.get(`${__ENV.BASE}/cookies`, { headers: { Cookie: 'hand=made' } }).json();
  console.log(JSON.stringify(seen.cookies));
}
