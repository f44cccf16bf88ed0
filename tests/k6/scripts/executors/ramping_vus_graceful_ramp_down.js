// gracefulRampDown lets them end.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: {
      executor: 'ramping-vus',
      startVUs: 3,
      stages: [{ duration: '600ms', target: 3 }, { duration: '0s', target: 1 }, { duration: '500ms', target: 1 }],
      gracefulRampDown: '3s',
      gracefulStop: '3s',
    },
  },
};

export default function () {
  sleep(1.5);
  console.log('ended');
}
