// @exit 105
// @signal SIGINT 100ms first
// @signal SIGINT 100ms in teardown
// A second SIGINT does not wait for teardown.
import { sleep } from 'k6';

export const options = { iterations: 1 };

export default function () {
  console.log('first');
  sleep(30);
}

export function teardown() {
  console.log('in teardown');
  sleep(30);
}
