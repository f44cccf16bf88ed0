// @exit 99
// Thresholds as objects.
import { Counter } from 'k6/metrics';

const c = new Counter('things');
export const options = {
  thresholds: { things: [{ threshold: 'count<3', abortOnFail: false }, { threshold: 'count>1' }] },
};

export default function () {
  c.add(5);
}
