// @args --rps 20
// --rps spaces requests out.
import http from 'k6/http';

export const options = { iterations: 1 };

export default function () {
  const start = Date.now();
  for (let i = 0; i < 11; i++) http.get(`${__ENV.BASE}/get`);
  const took = Date.now() - start;
  console.log(took > 400, took < 2500);
}
