// responseType: text, binary, none.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/bytes/16?seed=7`;
  const binary = http.get(url, { responseType: 'binary' });
  console.log(binary.body instanceof ArrayBuffer, new Uint8Array(binary.body).join());
  const none = http.get(url, { responseType: 'none' });
  console.log(none.status, none.body);
  const text = http.get(`${__ENV.BASE}/text/12`, { responseType: 'text' });
  console.log(text.body, text.body.length);
}
