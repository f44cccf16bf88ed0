// shared-iterations cut by maxDuration: the rest is dropped.
import { sleep } from 'k6';

export const options = {
  scenarios: { s: { executor: 'shared-iterations', vus: 2, iterations: 20, maxDuration: '1s', gracefulStop: '2s' } },
};

export default function () {
  sleep(0.7);
}
