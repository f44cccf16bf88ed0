// startTime holds a scenario back.
import exec from 'k6/execution';

export const options = {
  scenarios: {
    first: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'run' },
    second: { executor: 'per-vu-iterations', vus: 1, iterations: 1, startTime: '1s', exec: 'run' },
  },
};

export function run() {
  const late = exec.instance.currentTestRunDuration >= 990;
  console.log(exec.scenario.name, late);
}
