// @exit 99
// Thresholds of metrics without samples.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

new Counter('empty_counter');
new Gauge('empty_gauge');
new Rate('empty_rate');
new Trend('empty_trend');

export const options = {
  thresholds: {
    empty_counter: ['count>5', 'count<5'],
    empty_gauge: ['value>1', 'value<1'],
    empty_rate: ['rate>0.5', 'rate<0.5'],
    empty_trend: ['avg>5', 'p(95)<1', 'max<1'],
  },
};

export default function () {}
