// @stdin
// A script from standard input.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
