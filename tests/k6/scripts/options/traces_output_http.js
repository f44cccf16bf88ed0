// @args --traces-output otel=http://127.0.0.1:1/v1/traces,header.Authorization=me
// @exit 0
// Requests outside of a browser make no spans, so nobody misses the one who does not listen.
import http from 'k6/http';
console.log('init');
export function setup() {
  console.log('setup');
}
export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
