// @exit 108
// test.abort in init code.
import exec from 'k6/execution';

exec.test.abort('right away');

export default function () {
  console.log('never');
}
