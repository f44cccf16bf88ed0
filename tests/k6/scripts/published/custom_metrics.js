// Metrics of one's own, and thresholds on them.
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const orders = new Counter('orders_total');
const failures = new Rate('order_failures');
const size = new Gauge('basket_size');
const waiting = new Trend('order_waiting', true);

export const options = {
  iterations: 3,
  thresholds: {
    orders_total: ['count>=3'],
    order_failures: [{ threshold: 'rate<0.1', abortOnFail: true, delayAbortEval: '1s' }],
    order_waiting: ['med<1000', 'p(95)<2000'],
    'orders_total{kind:bulk}': ['count==1'],
  },
};

const basket = JSON.parse(open('./data/orders.json'));

export default function () {
  const item = basket[__ITER];
  const res = http.post(`${__ENV.BASE}/post`, JSON.stringify(item), {
    headers: { 'Content-Type': 'application/json' },
  });
  orders.add(1, { kind: item.qty > 4 ? 'bulk' : 'single' });
  failures.add(res.status !== 200);
  size.add(item.qty);
  waiting.add(res.timings.waiting);
}
