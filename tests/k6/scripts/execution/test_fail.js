// @exit 110
// exec.test.fail marks the test and goes on.
import exec from 'k6/execution';

export const options = { iterations: 3 };

export default function () {
  if (__ITER === 1) exec.test.fail('marked');
  console.log('goes on', __ITER);
}
