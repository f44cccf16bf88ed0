// @exit 108
// One user aborts the test while others are in their iterations: only its own iteration counts.
import { sleep } from 'k6';
import exec from 'k6/execution';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 4, duration: '6s', gracefulStop: '0s' } } };

export default function () {
  if (exec.vu.idInTest === 1) {
    sleep(0.4);
    exec.test.abort('enough');
  }
  sleep(3);
}
