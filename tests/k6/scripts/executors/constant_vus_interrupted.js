// Iterations longer than gracefulStop are interrupted and not counted.
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '300ms' } } };

export default function () {
  console.log('started');
  sleep(5);
}
