// The greatest of negative values is negative.
// @compare summary-text
import { Gauge } from 'k6/metrics';

const level = new Gauge('level');

export const options = { thresholds: { level: ['value<0'] } };

export default function () {
  [-5, -3, -8].forEach((value) => level.add(value));
}
