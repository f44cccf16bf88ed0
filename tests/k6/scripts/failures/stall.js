// A server that stalls for two seconds answers all the same.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.RAW_BASE}/stall`);
  console.log(res.status, res.body, res.timings.waiting >= 1900);
}
