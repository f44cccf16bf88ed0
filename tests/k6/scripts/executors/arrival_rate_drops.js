// Starts without a free user are dropped and counted.
// @tolerance iterations 1
// @tolerance dropped_iterations 1
import { sleep } from 'k6';

export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 2, maxVUs: 2 } },
};

export default function () {
  sleep(3);
}
