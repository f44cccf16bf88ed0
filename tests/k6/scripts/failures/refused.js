// A refused connection: the request returns with an error and the run goes on.
import http from 'k6/http';
import { check } from 'k6';

export const options = { iterations: 2 };

export default function () {
  const res = http.get('http://127.0.0.1:1/');
  console.log(res.status, res.error, res.error_code, res.body, res.timings.duration);
  check(res, { 'is up': (r) => r.status === 200 });
}
