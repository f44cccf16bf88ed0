// What metrics take and refuse.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const c = new Counter('odd_c'), g = new Gauge('odd_g'), r = new Rate('odd_r'), t = new Trend('odd_t', true);
export default function () {
  for (const v of [1, '2', true, null, undefined, NaN, 'abc', {}, -3, 1.5, '']) console.log(JSON.stringify(String(v)), c.add(v), g.add(v), r.add(v), t.add(v));
  try { t.add(1, { a: {} }); } catch (e) { console.log(e.message); }
  t.add(5, { a: 1, b: true, c: 'x' });
  console.log(c.name, typeof c.add);
  try { new Counter('late'); } catch (e) { console.log(e.message); }
}
