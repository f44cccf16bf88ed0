// Durations as Go text, with days, and as numbers of milliseconds.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    a: { executor: 'constant-vus', vus: 1, duration: '0h0m1s', gracefulStop: 1500 },
    b: { executor: 'constant-vus', vus: 1, duration: 1000, gracefulStop: '1.5s' },
    c: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '1d2h', startTime: '100' },
  },
};

export default function () {
  sleep(0.6);
}
