// @exit 107
// A name of one letter.
import { Counter } from 'k6/metrics';

new Counter('x');

export default function () {}
