// Users are added one by one up to maxVUs.
// @tolerance iterations 2
// @tolerance dropped_iterations 2
import { sleep } from 'k6';

export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 1, maxVUs: 5, gracefulStop: '3s' } },
};

export default function () {
  sleep(2);
}
