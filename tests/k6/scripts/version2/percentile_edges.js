// 0 and 100 are percentiles.
import { Trend } from 'k6/metrics';

const own = new Trend('own');

export const options = { thresholds: { own: ['p(0)<=1', 'p(100)>=3'] } };

export default function () {
  [1, 2, 3].forEach((value) => own.add(value));
}
