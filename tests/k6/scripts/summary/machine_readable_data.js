// @args --new-machine-readable-summary
// @plain
// What handleSummary gets in the new form, without the functions k6's objects have there.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

export const options = { thresholds: { http_reqs: ['count>0'], 'http_reqs{status:200}': ['count>0'] } };

const made = { c: new Counter('a_counter'), g: new Gauge('a_gauge'), r: new Rate('a_rate'), t: new Trend('a_trend', true) };

export default function () {
  const res = http.get(`${__ENV.BASE}/get`);
  check(res, { 'is 200': (r) => r.status === 200, 'is 500': (r) => r.status === 500 });
  group('g', () => check(res, { inner: true }));
  made.c.add(3);
  made.g.add(2);
  made.r.add(true);
  made.t.add(5);
}

const keys = (of) => Object.keys(of).filter((key) => typeof of[key] !== 'function').sort();

export function handleSummary(data) {
  const lines = [keys(data).join(), keys(data.config).join(), keys(data.metadata).join()];
  lines.push(data.version, data.config.execution, typeof data.config.duration, String(data.config.script).length > 500);
  lines.push(keys(data.results).join(), keys(data.results.checks).join());
  for (const metric of data.results.checks.metrics) lines.push(`${metric.name} ${metric.type} ${metric.contains} ${keys(metric.values)}`);
  for (const one of data.results.checks.results) lines.push(`${one.name} ${one.passes} ${one.fails}`);
  const shown = data.results.metrics.map((metric) => `${metric.name} ${metric.type} ${metric.contains} ${keys(metric.values)}`);
  lines.push(...shown.sort());
  console.log(lines.join('\n'));
  return {};
}
