// @exit 99
// Several crossed thresholds are named together.
import { Counter } from 'k6/metrics';

const c = new Counter('things');
export const options = { thresholds: { 'things{a:1}': ['count>5'], things: ['count>5'], iterations: ['count>5'] } };

export default function () {
  c.add(1, { a: '1' });
}
