// iterationInTest is a permutation of 0..n-1.
import exec from 'k6/execution';

export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 6, iterations: 60 } } };

export default function () {
  console.log(exec.scenario.iterationInTest);
}
