// @tolerance iterations 1
// @tolerance dropped_iterations 1
// The test is aborted while a user that was not planned is made: the run goes on without it.
import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = {
  scenarios: {
    rate: {
      executor: 'constant-arrival-rate',
      rate: 4,
      timeUnit: '1s',
      duration: '2s',
      preAllocatedVUs: 1,
      maxVUs: 2,
    },
  },
};

if (__VU === 2) {
  exec.test.abort('no second user');
}

export default function () {
  sleep(0.6);
}
