// @exit 107
// Adding in init code is refused.
import { Counter } from 'k6/metrics';

new Counter('early').add(1);

export default function () {}
