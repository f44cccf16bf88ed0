// The number of users alone is so many iterations, whatever scenarios say.
// @args --vus 3
// @compare stdout scenarios:|default:
import exec from 'k6/execution';

export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 2, exec: 'other' } },
};

export function other() {
  console.log('other');
}

export default function () {
  console.log(exec.scenario.name, exec.scenario.executor);
}
