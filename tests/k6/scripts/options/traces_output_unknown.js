// @args --traces-output jaeger
// @exit 255
// A kind that there is not; told once the script was read.
import http from 'k6/http';
console.log('init');
export function setup() {
  console.log('setup');
}
export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
