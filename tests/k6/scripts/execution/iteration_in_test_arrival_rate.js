// iterationInTest with an arrival rate.
// @tolerance iterations 1
import exec from 'k6/execution';
import { check } from 'k6';

export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 30, duration: '1s', preAllocatedVUs: 20 } } };

const seen = {};

export default function () {
  const n = exec.scenario.iterationInTest;
  if (seen[n]) throw new Error(`${n} twice`);
  seen[n] = true;
}
