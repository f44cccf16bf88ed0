// @exit 99
// A gauge is judged by its last value.
import { Gauge } from 'k6/metrics';

const g = new Gauge('level');
export const options = { thresholds: { level: ['value<5'] } };

export default function () {
  [1, 2, 9].forEach((v) => g.add(v));
}
