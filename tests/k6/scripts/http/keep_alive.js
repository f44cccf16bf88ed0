// One connection for all requests of a user; Connection: close and noConnectionReuse open new ones.
import http from 'k6/http';

export const options = { iterations: 3 };

export default function () {
  http.get(`${__ENV.BASE}/get`);
  const res = http.get(`${__ENV.BASE}/get`);
  console.log(__ITER, res.timings.connecting === 0);
  http.get(`${__ENV.BASE}/close`);
}
