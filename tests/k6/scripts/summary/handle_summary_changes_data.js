// What handleSummary makes of its data is what --summary-export writes; set-up that returned nothing is undefined.
import { check, group } from 'k6';

export const options = { iterations: 2, thresholds: { iterations: ['count==2'] } };

export default function () {
  group('cookies', () => check(1, { 'redirected to cookies': (one) => one === 1, 'has a token': () => true }));
}

export function handleSummary(data) {
  console.log(data.setup_data === undefined, data.root_group.groups[0].checks.map((c) => c.name).sort().join());
  data.metrics.iterations.values.count = 77;
  data.metrics.checks.values.passes = 5;
  delete data.metrics.iteration_duration;
  data.extra = { kept: [1, 'two'] };
  return {};
}
