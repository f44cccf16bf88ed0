// @compare summary-text
// Trends of times show units.
import { Trend, Gauge, Counter } from 'k6/metrics';

const time = new Trend('took', true);
const plain = new Trend('plain');

export default function () {
  [1, 20, 300, 4000].forEach((v) => {
    time.add(v);
    plain.add(v);
  });
}
