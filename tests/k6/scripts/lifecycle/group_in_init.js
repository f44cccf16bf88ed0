// @exit 107
// Groups in init code are refused.
import { group } from 'k6';

group('early', () => 1);

export default function () {}
