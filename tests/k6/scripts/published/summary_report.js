// A summary in several forms.
// @compare file summary.txt
// @compare file result.json
import http from 'k6/http';
import { check } from 'k6';
import { textSummary, jUnit } from 'https://jslib.k6.io/k6-summary/0.0.2/index.js';

export const options = { iterations: 2, thresholds: { checks: ['rate==1'] } };

export default function () {
  check(http.get(`${__ENV.BASE}/get`), { ok: (r) => r.status === 200 });
}

export function handleSummary(data) {
  const checks = data.metrics.checks;
  return {
    stdout: textSummary(data, { indent: ' ', enableColors: false }),
    'summary.txt': `checks ${checks.values.passes}/${checks.values.passes + checks.values.fails} ${checks.thresholds['rate==1'].ok}\n`,
    'result.json': JSON.stringify({ names: Object.keys(data.metrics).sort(), junit: jUnit(data).startsWith('<?xml') }, null, 2),
  };
}
