// @exit 99
// A threshold on checks decides the exit code.
import { check } from 'k6';

export const options = { iterations: 4, thresholds: { checks: ['rate>0.9'] } };

export default function () {
  check(__ITER, { 'less than two': (n) => n < 2 });
}
