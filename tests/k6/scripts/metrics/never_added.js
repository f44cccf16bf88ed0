// A metric without samples is not in the summary, unless a threshold asks for it.
import { Counter, Trend } from 'k6/metrics';

new Counter('silent');
new Trend('asked_for');

export const options = { thresholds: { asked_for: ['p(95)<1'] } };

export default function () {}
