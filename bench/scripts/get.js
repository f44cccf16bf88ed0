// One GET and one check an iteration; users and length come from flags.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
