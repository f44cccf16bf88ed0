// @exit 99
// @compare file report.csv
// @compare file thresholds.json
// @compare stdout ^\| 
// handleSummary that writes a table of its own.
import http from 'k6/http';
import { check } from 'k6';
import { Gauge } from 'k6/metrics';
const level = new Gauge('level');
export const options = { iterations: 2, thresholds: { http_reqs: ['count==2', 'count>5'], checks: ['rate==1'], level: ['value<10'] }, summaryTrendStats: ['count', 'min', 'p(50)'] };
export default function () { level.add(__ITER + 4); check(http.get(`${__ENV.BASE}/get`), { ok: (r) => r.status === 200 }); }
export function handleSummary(data) {
  const rows = Object.entries(data.metrics).filter(([n]) => /^(http_reqs|checks|level|iterations)$/.test(n)).sort(([a], [b]) => (a < b ? -1 : 1));
  const csv = ['metric,type,contains,keys', ...rows.map(([n, m]) => [n, m.type, m.contains, Object.keys(m.values).sort().join('+')].join())].join('\n');
  const t = {};
  for (const [n, m] of rows) if (m.thresholds) t[n] = m.thresholds;
  return { 'report.csv': csv, 'thresholds.json': JSON.stringify(t, null, 1), stdout: rows.map(([n, m]) => `| ${n} | ${m.values.count ?? m.values.rate ?? m.values.value} |`).join('\n') + '\n| trend ' + Object.keys(data.metrics.http_req_duration.values).sort().join() + '\n' };
}
