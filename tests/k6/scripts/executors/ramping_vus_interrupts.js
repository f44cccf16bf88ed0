// gracefulRampDown of nothing interrupts users that are ramped down.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: {
      executor: 'ramping-vus',
      startVUs: 3,
      stages: [{ duration: '600ms', target: 3 }, { duration: '0s', target: 1 }, { duration: '1s', target: 1 }],
      gracefulRampDown: '0s',
      gracefulStop: '3s',
    },
  },
};

export default function () {
  console.log('started');
  sleep(2);
}
