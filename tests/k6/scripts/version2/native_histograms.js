// @since 2.2
// @args --features native-histograms --iterations 20
// @compare stdout ^1
// Trends of native histograms are summed up as others are.
import { Trend } from 'k6/metrics';
import http from 'k6/http';

const steps = new Trend('steps');

export default function () {
  steps.add(__ITER + 1);
  http.get(`${__ENV.BASE}/get`);
}

export function handleSummary(data) {
  const { min, max, avg } = data.metrics.steps.values;
  return { stdout: `${min} ${max} ${avg}\n` };
}
