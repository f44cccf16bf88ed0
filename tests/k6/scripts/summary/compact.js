// @compare summary-text
// The compact summary with checks, groups, thresholds and own metrics.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate } from 'k6/metrics';

const orders = new Counter('orders');
const level = new Gauge('level');
const hits = new Rate('hits');

export const options = {
  iterations: 4,
  thresholds: { http_req_failed: ['rate<0.01'], 'http_reqs{kind:read}': ['count>2'], orders: ['count==8'] },
};

export default function () {
  const res = http.get(`${__ENV.BASE}/get`, { tags: { kind: 'read' } });
  group('shop', () => check(res, { 'status is 200': (r) => r.status === 200 }));
  check(res, { 'never holds': () => false, 'sometimes': () => __ITER % 2 === 0 });
  orders.add(2);
  level.add(__ITER);
  hits.add(__ITER === 0);
}
