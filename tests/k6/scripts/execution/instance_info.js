// exec.instance.
import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 3 } } };

export default function () {
  sleep(0.05);
  const i = exec.instance;
  console.log(i.iterationsCompleted, i.iterationsInterrupted, i.vusActive, i.vusInitialized, i.currentTestRunDuration > 0);
}
