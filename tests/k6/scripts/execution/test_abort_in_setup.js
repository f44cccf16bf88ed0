// @exit 108
// test.abort in setup.
import exec from 'k6/execution';

export function setup() {
  exec.test.abort('no point');
}

export default function () {
  console.log('never');
}

export function teardown() {
  console.log('teardown');
}
