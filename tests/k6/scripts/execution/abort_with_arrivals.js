// @exit 108
// @tolerance iterations 1
// @tolerance iteration_duration 10%
// An abort among arrivals: those under way are cut and not counted.
import { sleep } from 'k6';
import exec from 'k6/execution';

export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 10, duration: '6s', preAllocatedVUs: 12 } },
};

export default function () {
  if (exec.scenario.iterationInTest === 12) {
    exec.test.abort('the thirteenth');
  }
  sleep(0.55);
}
