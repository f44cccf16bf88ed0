// @exit 107
// A name with a blank.
import { Counter } from 'k6/metrics';

new Counter('not valid');

export default function () {}
