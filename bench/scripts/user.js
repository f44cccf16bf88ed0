// A small user: one GET, one check, a pause. For memory per user.
import http from 'k6/http';
import { check, sleep } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  check(res, { 'status is 200': (r) => r.status === 200 });
  sleep(1);
}
