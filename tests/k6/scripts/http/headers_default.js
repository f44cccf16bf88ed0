// What is sent without being asked for: no Accept, no Accept-Encoding.
import http from 'k6/http';

export default function () {
  const names = http.get(`${__ENV.RAW_BASE}/echo`).body.trim().split('\r\n').slice(1).map((l) => l.split(':')[0]);
  console.log(names.sort().join());
}
