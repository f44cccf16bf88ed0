// Chunked bodies, slow chunks, trailers.
import http from 'k6/http';

export default function () {
  const lines = http.get(`${__ENV.BASE}/stream/5?gap=20`).body.trim().split('\n');
  console.log(lines.length, lines[4]);
  const trailing = http.get(`${__ENV.BASE}/trailers`);
  console.log(trailing.body, trailing.headers['X-Checksum']);
  console.log(http.get(`${__ENV.RAW_BASE}/chunked`).body);
}
