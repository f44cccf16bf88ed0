// noVUConnectionReuse: connections last for one iteration.
import http from 'k6/http';

export const options = { iterations: 3, noVUConnectionReuse: true };

export default function () {
  const first = http.get(`${__ENV.BASE}/get`).timings.connecting > 0;
  const second = http.get(`${__ENV.BASE}/get`).timings.connecting > 0;
  console.log(first, second);
}
