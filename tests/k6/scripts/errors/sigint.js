// @exit 105
// @signal SIGINT 300ms first
// SIGINT: iterations are interrupted, teardown runs, the summary comes.
import { sleep } from 'k6';

export const options = { vus: 2, duration: '20s' };

export default function () {
  if (__ITER === 0 && __VU === 1) console.log('first');
  sleep(30);
}

export function teardown() {
  console.log('teardown');
}
