// Blanks and numbers in expressions.
import { Rate } from 'k6/metrics';

const r = new Rate('a_rate');
export const options = { thresholds: { a_rate: ['rate  <  0.6', ' rate>0.4 ', 'rate<=5e-1', 'rate >= .5'] } };

export default function () {
  r.add(true);
  r.add(false);
}
