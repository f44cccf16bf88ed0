// @exit 99
// delayAbortEval holds the abort back; a short test ends before.
import { Counter } from 'k6/metrics';
import { sleep } from 'k6';

const bad = new Counter('bad_things');
export const options = {
  vus: 1,
  iterations: 5,
  thresholds: { bad_things: [{ threshold: 'count<1', abortOnFail: true, delayAbortEval: '30s' }] },
};

export default function () {
  bad.add(1);
  sleep(0.5);
}
