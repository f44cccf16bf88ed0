// ramping-arrival-rate: starts solve the integral of the rate.
// @tolerance iterations 1
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: {
      executor: 'ramping-arrival-rate',
      startRate: 10,
      timeUnit: '1s',
      preAllocatedVUs: 50,
      stages: [
        { duration: '1s', target: 10 },
        { duration: '1s', target: 30 },
        { duration: '1s', target: 0 },
      ],
    },
  },
};

export default function () {
  sleep(0.05);
}
