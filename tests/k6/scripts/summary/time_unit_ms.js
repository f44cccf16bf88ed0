// @args --summary-time-unit ms
// @compare summary-text
// All times in milliseconds.
import { Trend } from 'k6/metrics';

const t = new Trend('took', true);

export default function () {
  [0.5, 1500].forEach((v) => t.add(v));
}
