// gracefulStop lets running iterations end.
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '3s' } } };

export default function () {
  sleep(1.6);
  console.log('ended');
}
