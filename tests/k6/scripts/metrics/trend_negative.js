// Negative, tiny and huge values.
import { Trend } from 'k6/metrics';

const odd = new Trend('odd_values');

export default function () {
  [-5, -0.001, 0, 1e-9, 12345678.9].forEach((v) => odd.add(v));
}
