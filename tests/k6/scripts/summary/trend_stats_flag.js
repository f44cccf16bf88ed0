// @args --summary-trend-stats min,p(50),p(99.9),count
// @compare summary-text
// Columns chosen by flag.
import { Trend } from 'k6/metrics';

const t = new Trend('steps');

export default function () {
  for (let i = 1; i <= 1000; i++) t.add(i);
}
