// Bytes after the body, and an upgrade nobody asked for.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/surplus`);
  console.log(res.status, res.body);
  console.log(http.get(`${__ENV.RAW_BASE}/echo`).status);
}
