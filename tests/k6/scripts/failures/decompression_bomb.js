// @limit 30s
// A body that grows a thousandfold when decompressed.
// @computes
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/bomb/128`, { responseType: 'binary' });
  console.log(res.status === 200 || res.error_code > 0);
  console.log('goes on', http.get(`${__ENV.BASE}/get`).status);
}
