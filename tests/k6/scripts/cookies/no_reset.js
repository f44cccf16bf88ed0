// noCookiesReset keeps the jar.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export const options = { iterations: 3, noCookiesReset: true };

export default function () {
  console.log(__ITER, sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
  http.get(`${__ENV.BASE}/cookies/set?seen=${__ITER}`);
}
