// @args --traces-output otel=127.0.0.2:4317
// @exit 255
// An address that is no URL.
import http from 'k6/http';
console.log('init');
export function setup() {
  console.log('setup');
}
export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
