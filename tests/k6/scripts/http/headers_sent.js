// Request headers: the default set, own ones, numbers, canonical names on the wire.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/echo`, {
    headers: { 'x-lower': 'a', 'X-UPPER-case': 'b', Accept: 'text/html', 'X-Number': 42, 'X-Bool': true, 'X-Empty': '' },
  });
  const lines = res.body.trim().split('\r\n');
  console.log(lines[0]);
  lines.slice(1).filter((l) => !l.startsWith('User-Agent')).sort().forEach((l) => console.log(l));
}
