// @exit 108
// test.abort interrupts the other users.
import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 1 } } };

export default function () {
  sleep(0.3);
  if (exec.vu.idInTest === 1) exec.test.abort();
  sleep(10);
  throw new Error('not reached');
}
