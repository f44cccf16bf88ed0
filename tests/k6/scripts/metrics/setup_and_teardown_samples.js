// Samples of setup and teardown count.
import { Counter } from 'k6/metrics';
import http from 'k6/http';

const c = new Counter('everywhere');
export const options = { thresholds: { 'everywhere{group:::setup}': ['count==1'], 'http_reqs{group:::teardown}': ['count==1'] } };

export function setup() {
  c.add(1);
}
export default function () {
  c.add(10);
}
export function teardown() {
  c.add(100);
  http.get(`${__ENV.BASE}/get`);
}
