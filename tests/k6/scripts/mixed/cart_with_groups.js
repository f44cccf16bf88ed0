// A shop's checkout: nested groups, tags on groups, counters per step.
import http from 'k6/http';
import { check, group, fail } from 'k6';
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
const steps = new Counter('shop_steps');
const bought = new Rate('shop_bought');
const items = new Trend('shop_items');
export const options = {
  vus: 1, iterations: 3,
  thresholds: { 'shop_steps{step:pay}': ['count==2'], shop_bought: ['rate>0.6'], 'group_duration{group:::shop::pay}': ['p(90)<5000'], 'checks{step:list}': ['rate==1'] },
};
export default function () {
  exec.vu.metrics.tags.build = 'b7';
  const bag = [];
  group('shop', () => {
    group('list', () => {
      const r = http.get(`${__ENV.BASE}/items?n=5`, { tags: { step: 'list' } });
      check(r, { 'listed': (x) => x.status === 200 }, { step: 'list' });
      steps.add(1, { step: 'list' });
      bag.push(...Array.from({ length: exec.vu.iterationInScenario + 1 }, (_, i) => i));
    });
    items.add(bag.length);
    if (bag.length > 2) { bought.add(false); return; }
    group('pay', () => {
      const r = http.post(`${__ENV.BASE}/post`, JSON.stringify({ bag }), { headers: { 'content-type': 'application/json' }, tags: { step: 'pay' } });
      steps.add(1, { step: 'pay' });
      bought.add(check(r, { 'paid': (x) => x.json('json.bag.#') === bag.length }));
    });
  });
  console.log(JSON.stringify({ bag, build: exec.vu.metrics.tags.build, group: exec.vu.metrics.tags.group ?? 'none' }));
}
