// noConnectionReuse: a connection per request.
import http from 'k6/http';

export const options = { iterations: 2, noConnectionReuse: true };

export default function () {
  for (let i = 0; i < 3; i++) {
    const res = http.get(`${__ENV.BASE}/get`);
    console.log(res.timings.connecting > 0, res.json('headers.connection'));
  }
}
