// @args --block-hostnames *.blocked.example,exact.example
// Blocked names end as errors.
import http from 'k6/http';

export default function () {
  for (const host of ['a.blocked.example', 'exact.example']) {
    const res = http.get(`http://${host}/`);
    console.log(res.status, res.error_code, res.error);
  }
}
