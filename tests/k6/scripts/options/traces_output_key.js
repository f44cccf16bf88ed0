// @args --traces-output otel=http://127.0.0.2:4318,protocol=grpc
// @exit 255
// A key that there is not.
import http from 'k6/http';
console.log('init');
export function setup() {
  console.log('setup');
}
export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
