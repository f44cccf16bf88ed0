// One metric fed by two scenarios, told apart by tag.
import { Counter } from 'k6/metrics';

const done = new Counter('done_things');

export const options = {
  scenarios: {
    a: { executor: 'per-vu-iterations', vus: 1, iterations: 3, exec: 'a' },
    b: { executor: 'per-vu-iterations', vus: 1, iterations: 5, exec: 'b', tags: { team: 'blue' } },
  },
  thresholds: { 'done_things{scenario:a}': ['count==3'], 'done_things{team:blue}': ['count==5'], 'iterations{scenario:b}': ['count==5'] },
};

export function a() {
  done.add(1);
}
export function b() {
  done.add(1);
}
