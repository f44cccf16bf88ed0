// A time-out of null or undefined is refused.
import http from 'k6/http';

export default function () {
  for (const timeout of [null, undefined]) {
    const res = http.get(`${__ENV.BASE}/get`, { timeout });
    console.log(String(timeout), res.status, res.error);
  }
}
