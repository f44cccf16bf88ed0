// Groups in groups by a helper of its own, a class with private fields, tags per step, thresholds on a group.
import http from 'k6/http';
import { group, check } from 'k6';
import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';
import Basket, { step, base } from './lib/steps.js';
const sold = new Counter('sold_items');
const level = new Gauge('stock_level');
export const options = {
  scenarios: { buy: { executor: 'per-vu-iterations', vus: 1, iterations: 3, tags: { flow: 'buy' }, env: { LIMIT: '2' } } },
  thresholds: { 'sold_items{flow:buy}': ['count>=3'], 'group_duration{group:::order::look}': ['max<9000'], 'checks{step:look}': ['rate==1'], 'stock_level': ['value<100'] },
};
export default function () {
  const basket = new Basket();
  const res = group('order', () => {
    const first = step('look', '/items?page=1', { tags: { kind: 'list' } });
    first.json('items').slice(0, Number(__ENV.LIMIT)).forEach(({ id }) => basket.add(id, id + 1));
    return http.post(`${base}/post`, JSON.stringify(basket), { headers: { 'Content-Type': 'application/json' }, tags: { name: 'order' } });
  });
  check(res, { 'ordered': (r) => r.json().json.size === 3 });
  sold.add(basket.size);
  level.add(50 - exec.scenario.iterationInTest * 10);
  console.log(JSON.stringify(basket), Basket.made, res.json('json.items.#'), exec.vu.metrics.tags.flow);
}
