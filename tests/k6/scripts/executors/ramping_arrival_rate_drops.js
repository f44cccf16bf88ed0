// Drops of a ramping rate.
// @tolerance iterations 1
// @tolerance dropped_iterations 1
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: {
      executor: 'ramping-arrival-rate',
      startRate: 20,
      preAllocatedVUs: 3,
      maxVUs: 3,
      stages: [{ duration: '1s', target: 20 }, { duration: '1s', target: 0 }],
      gracefulStop: '3s',
    },
  },
};

export default function () {
  sleep(4);
}
