// @exit 101
// Teardown that takes too long.
import { sleep } from 'k6';

export const options = { teardownTimeout: '500ms' };

export default function () {}

export function teardown() {
  sleep(5);
}
