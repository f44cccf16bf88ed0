// Columns chosen by option; handleSummary sees them.
import { Trend } from 'k6/metrics';

const t = new Trend('steps');
export const options = { summaryTrendStats: ['med', 'p(99)', 'count'] };

export default function () {
  for (let i = 1; i <= 10; i++) t.add(i);
}

export function handleSummary(data) {
  console.log(Object.keys(data.metrics.steps.values).sort().join(), data.metrics.steps.values['p(99)']);
  return {};
}
