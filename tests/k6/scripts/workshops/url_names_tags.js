// Templates of URLs, names, system tags that are switched off and on, and what metrics carry.
// @compare file points.json
import http from 'k6/http';
import { Trend } from 'k6/metrics';
export const options = { systemTags: ['method', 'name', 'status', 'group', 'vu', 'iter', 'error_code'], tags: { app: 'x' }, summaryTrendStats: ['count', 'p(99.99)', 'med'] };
const t = new Trend('own_trend');
export default function () {
  const b = __ENV.BASE;
  for (const id of [1, 2]) {
    const u = http.url`${b}/anything/${id}/${'a b'}`;
    const r = http.get(u, { tags: { id } });
    console.log(r.status, typeof u, r.request.url.replace(b, ''), r.json('path'));
  }
  http.get(http.url`${b}/get`, { tags: { name: 'mine' } });
  http.get(`${b}/get#part?x=1`);
  http.get(`${b}/status/503`);
  t.add(1.5, { app: 'y', extra: '' }); t.add(2, null); t.add('3'); 
  try { t.add('x'); } catch (e) { console.log(e.message); }
  console.log(t.name, JSON.stringify(t), t.add(NaN), t.add(4, { n: 1, o: { p: 1 } }));
}
export function handleSummary(data) {
  return { stdout: '', 'points.json': JSON.stringify(Object.keys(data.metrics).sort()) + JSON.stringify(data.metrics.own_trend.values) };
}
