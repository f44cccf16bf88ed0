// per-vu-iterations cut by maxDuration: what is left of each is dropped.
import { sleep } from 'k6';

export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 10, maxDuration: '1s', gracefulStop: '2s' } },
};

export default function () {
  sleep(0.7);
}
