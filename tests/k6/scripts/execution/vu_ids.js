// Ids of four users.
import exec from 'k6/execution';
import { sleep } from 'k6';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 4, iterations: 1 } } };

export default function () {
  sleep(0.1);
  console.log(exec.vu.idInTest);
}
