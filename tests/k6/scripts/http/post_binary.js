// Binary bodies: ArrayBuffer and typed arrays.
import http from 'k6/http';

export default function () {
  const bytes = new Uint8Array([72, 105, 33]);
  console.log(http.post(`${__ENV.BASE}/post`, bytes.buffer).json('body'));
  console.log(http.post(`${__ENV.BASE}/post`, bytes).json('body'));
  console.log(http.post(`${__ENV.BASE}/post`, new Uint8Array([1, 2, 255]).buffer).json('length'));
}
