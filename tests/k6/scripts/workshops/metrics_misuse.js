// @exit 107
// @former-exit 107
// A metric made in the default function after many right ones in init.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const out = [];
for (const f of [() => new Counter('a b'), () => new Counter(''), () => new Counter('1a'), () => new Trend('x'.repeat(129)), () => new Rate('ok_name'), () => new Rate('ok_name'), () => new Gauge('ok_name'), () => new Trend('http_reqs'), () => new Counter('http_reqs'), () => new Trend('t_time', true), () => new Trend('t_time'), () => new Counter()]) {
  try { const m = f(); out.push(`${m.name}`); } catch (e) { out.push(e.message ?? String(e)); }
}
for (const o of out) console.log(o);
export default function () { console.log('it'); }
export function setup() { new Counter('late'); }
