// @exit 107
// The same name with another type is refused.
import { Counter, Trend } from 'k6/metrics';

new Counter('clash');
new Trend('clash');

export default function () {}
