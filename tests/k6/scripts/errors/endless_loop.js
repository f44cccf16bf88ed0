// @limit 15s
// An iteration that loops for ever is interrupted at gracefulStop; others are unharmed.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    bad: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '1s', gracefulStop: '300ms', exec: 'bad' },
    good: { executor: 'per-vu-iterations', vus: 2, iterations: 4, exec: 'good' },
  },
};

export function bad() {
  while (true) {}
}
export function good() {
  sleep(0.1);
}
