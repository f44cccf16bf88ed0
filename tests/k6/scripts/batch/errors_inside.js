// One request of a batch fails; the others answer.
import http from 'k6/http';

export default function () {
  const [good, dead, bad] = http.batch([`${__ENV.BASE}/get`, 'http://127.0.0.1:1/', `${__ENV.BASE}/status/500`]);
  console.log(good.status, dead.status, dead.error_code, bad.status);
}
