// @exit 108
// exec.test.abort ends everything; teardown runs.
import exec from 'k6/execution';

export const options = { iterations: 10 };

export default function () {
  console.log('iteration', __ITER);
  if (__ITER === 2) exec.test.abort('enough');
  console.log('after', __ITER);
}

export function teardown() {
  console.log('teardown');
}
