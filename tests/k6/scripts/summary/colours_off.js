// @args --no-color
// @compare summary-text
// --no-color.
import { check } from 'k6';

export default function () {
  check(1, { yes: true, no: false });
}
