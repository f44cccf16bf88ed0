// HTTP/2 requests of a batch share a connection.
import http from 'k6/http';

export default function () {
  const urls = Array.from({ length: 12 }, (_, i) => `${__ENV.TLS_BASE}/anything/${i}`);
  console.log(http.batch(urls).map((r) => `${r.status} ${r.proto} ${r.json('path')}`).join('; '));
}
