// constant-vus: users loop for the duration.
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 3, duration: '1200ms' } } };

export default function () {
  sleep(0.5);
}
