// @exit 99
// The data handleSummary gets.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const c = new Counter('c_metric'), g = new Gauge('g_metric'), r = new Rate('r_metric'), t = new Trend('t_metric', true);

export const options = { iterations: 2, thresholds: { c_metric: ['count>1', 'count>100'], 'http_reqs{group:::a}': [] } };

export function setup() {
  return { z: 1, list: [1, 2] };
}

export default function () {
  group('a', () => check(http.get(`${__ENV.BASE}/get`), { ok: (x) => x.status === 200, bad: () => false }));
  check(1, { root: 1 });
  c.add(3);
  g.add(7);
  r.add(0);
  t.add(1.5);
}

export function handleSummary(data) {
  const m = data.metrics;
  const sorted = (o) => JSON.stringify(o, Object.keys(o).sort());
  console.log(m.c_metric.type, m.c_metric.contains, m.c_metric.values.count, JSON.stringify(m.c_metric.thresholds['count>1']), JSON.stringify(m.c_metric.thresholds['count>100']));
  console.log(m.g_metric.type, sorted(m.g_metric.values), m.r_metric.type, sorted(m.r_metric.values));
  console.log(m.t_metric.type, m.t_metric.contains, sorted(m.t_metric.values));
  console.log(m.http_req_duration.contains, m.data_sent.contains, m.http_req_failed.values.passes, m.http_req_failed.values.fails);
  console.log(Object.keys(m).filter((n) => n.includes('{')).sort().join());
  console.log(data.root_group.groups.map((x) => `${x.name} ${x.path} ${x.id}`).join(), data.root_group.checks[0].name, data.root_group.checks[0].passes);
  console.log(data.root_group.groups[0].checks.map((x) => `${x.name} ${x.path} ${x.passes}/${x.fails}`).join());
  console.log(JSON.stringify(data.options.summaryTrendStats), JSON.stringify(data.options.summaryTimeUnit), data.options.noColor);
  console.log(data.state.isStdOutTTY, data.state.isStdErrTTY, typeof data.state.testRunDurationMs, data.setup_data.z, data.setup_data.list.join());
  return {};
}
