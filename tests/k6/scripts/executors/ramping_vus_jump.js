// A stage of no duration jumps.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '0s', target: 4 }, { duration: '1s', target: 4 }], gracefulRampDown: '2s' },
  },
};

export default function () {
  sleep(0.7);
}
