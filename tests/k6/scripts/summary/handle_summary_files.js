// @compare file summary.txt
// @compare file facts.json
// @compare stdout ^from
// handleSummary writes files and standard output in place of the summary.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  http.get(`${__ENV.BASE}/get`);
}

export function handleSummary(data) {
  return {
    stdout: 'from handleSummary\n',
    'summary.txt': `requests: ${data.metrics.http_reqs.values.count}\n`,
    'facts.json': JSON.stringify({ iterations: data.metrics.iterations.values.count, keys: Object.keys(data).sort() }, null, 1),
  };
}
