// @exit 108
// The test is aborted before there are users.
import exec from 'k6/execution';

exec.test.abort('at once');

export default function () {
  console.log('never');
}
