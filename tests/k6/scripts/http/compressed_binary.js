// A compressed body read as binary is still undone.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/gzip`, { responseType: 'binary' });
  console.log(String.fromCharCode(...new Uint8Array(res.body).slice(0, 12)), res.body.byteLength);
}
