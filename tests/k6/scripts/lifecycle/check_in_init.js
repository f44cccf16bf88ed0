// @exit 107
// Checks in init code are refused.
import { check } from 'k6';

check(1, { one: true });

export default function () {}
