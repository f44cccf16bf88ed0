// @args --batch-per-host 1
// One request per host at a time.
import http from 'k6/http';

export default function () {
  const start = Date.now();
  http.batch([`${__ENV.BASE}/delay/150`, `${__ENV.BASE}/delay/150`, `${__ENV.BASE}/delay/150`]);
  console.log(Date.now() - start >= 440);
}
