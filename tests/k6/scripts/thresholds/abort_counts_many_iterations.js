// @exit 99
// @tolerance iterations 4
// @tolerance so_many 4
// The same of users with more iterations than they get to, looked at no earlier than a second after the beginning.
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

const soMany = new Counter('so_many');
export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 100000, maxDuration: '9s' } },
  thresholds: { so_many: [{ threshold: 'count<3', abortOnFail: true, delayAbortEval: '1s' }] },
};

export default function () {
  soMany.add(1);
  sleep(0.5);
}
