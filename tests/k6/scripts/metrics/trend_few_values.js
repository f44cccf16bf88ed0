// Percentiles of one, two and three values.
import { Trend } from 'k6/metrics';

const one = new Trend('one_value');
const two = new Trend('two_values');
const three = new Trend('three_values');

export default function () {
  one.add(7.5);
  [1, 2].forEach((v) => two.add(v));
  [1, 10, 100].forEach((v) => three.add(v));
}
