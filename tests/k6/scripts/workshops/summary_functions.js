// @compare file summary.json
// @compare file report.txt
// @plain
// handleSummary that writes several files and uses groups, checks, thresholds and times.
import http from 'k6/http';
import { check, group } from 'k6';
import { Trend } from 'k6/metrics';
const t = new Trend('steps_time', true);
export const options = { summaryTrendStats: ['min', 'p(50)', 'count'], summaryTimeUnit: 's', thresholds: { steps_time: ['p(50)==2'], 'checks{kind:a}': ['rate>0.4'] }, iterations: 2 };
export default function () {
  group('g1', () => { group('g2', () => { check(__ITER, { zero: (i) => i === 0, always: () => true }, { kind: 'a' }); }); t.add(2); });
  t.add(2, { x: '1' });
}
export function handleSummary(data) {
  const walk = (g, d = 0) => [`${' '.repeat(d)}${g.name}|${g.path}|${g.checks.map((c) => `${c.name}:${c.passes}/${c.fails}`).join()}`, ...g.groups.flatMap((x) => walk(x, d + 1))];
  const { steps_time: s, checks } = data.metrics;
  return { 'report.txt': walk(data.root_group).join('\n'), 'summary.json': JSON.stringify({ s, checks, options: data.options, kind: data.metrics['checks{kind:a}'] }, null, 1), stdout: 'done\n' };
}
