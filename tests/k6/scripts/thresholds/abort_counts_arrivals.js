// @exit 99
// @tolerance iterations 2
// @tolerance so_many 2
// @tolerance dropped_iterations 2
// A threshold aborts at the first look, two seconds after the beginning: what was counted until then.
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

const soMany = new Counter('so_many');
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 10, duration: '9s', preAllocatedVUs: 12 } },
  thresholds: { so_many: [{ threshold: 'count<3', abortOnFail: true }] },
};

export default function () {
  soMany.add(1);
  sleep(0.55);
}
