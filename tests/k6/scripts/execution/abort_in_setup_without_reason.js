// @exit 108
// A test that is aborted in setup() without a reason.
import exec from 'k6/execution';

export function setup() {
  exec.test.abort();
}

export default function () {}

export function teardown() {
  console.log('teardown');
}
