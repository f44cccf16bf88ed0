// @compare file counts.json
// Iterations that the end cuts are in no count, those that ended before are.
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 4, duration: '1s', gracefulStop: '0s' } } };

export default function () {
  sleep(0.3);
  sleep(0.4);
}

export function handleSummary(data) {
  return { stdout: '', 'counts.json': JSON.stringify([data.metrics.iterations.values.count, data.metrics.vus_max.values.max]) };
}
