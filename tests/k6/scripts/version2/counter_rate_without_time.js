// @exit 107
// @compare stdout ^\{
// @former-exit 107
// A counter of a test that lasted no time has no rate, and its threshold does not fail by it.
import { Counter } from 'k6/metrics';

const counter = new Counter('counted');

export const options = { thresholds: { counted: ['rate<1000000000'] } };

export function setup() {
  counter.add(3);
  throw new Error('no test');
}

export default function () {}

export function handleSummary(data) {
  const { values, thresholds } = data.metrics.counted;
  return { stdout: `{ ${values.count} ${values.rate} ${'rate' in values} ${JSON.stringify(thresholds)}\n` };
}
