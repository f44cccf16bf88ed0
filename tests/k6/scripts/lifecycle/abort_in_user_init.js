// @exit 108
// @args --vus 3 --iterations 3
// The test is aborted while its users are made.
import exec from 'k6/execution';

if (__VU === 2) {
  exec.test.abort('no second user');
}

export default function () {
  console.log('never');
}
