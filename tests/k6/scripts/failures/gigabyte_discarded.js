// @limit 30s
// A body of 300 MB whose bytes are not kept.
// @computes
import http from 'k6/http';

export const options = { discardResponseBodies: true };

export default function () {
  const res = http.get(`${__ENV.BASE}/big/300000000`);
  console.log(res.status, res.body);
}
