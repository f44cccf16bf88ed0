// @tolerance iterations 1
// Progress of a scenario grows.
import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 1, duration: '1s' } } };

let last = -1;

export default function () {
  const now = exec.scenario.progress;
  if (now < last) throw new Error('went back');
  last = now;
  sleep(0.3);
}
