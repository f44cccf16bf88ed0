// Counter, Gauge, Rate, Trend and their values in the summary.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const errors = new Counter('my_errors');
const size = new Gauge('my_size');
const ok = new Rate('my_ok');
const wait = new Trend('my_wait');

export const options = { iterations: 5 };

export default function () {
  errors.add(2);
  size.add(__ITER * 3);
  ok.add(__ITER % 2 === 0);
  wait.add(10 * (__ITER + 1));
}
