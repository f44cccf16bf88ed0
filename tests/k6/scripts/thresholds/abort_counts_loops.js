// @exit 99
// @tolerance iterations 6
// @tolerance so_many 6
// The same of users in a loop, whose number of iterations nothing else bounds.
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

const soMany = new Counter('so_many');
export const options = {
  scenarios: { s: { executor: 'constant-vus', vus: 3, duration: '9s' } },
  thresholds: { so_many: [{ threshold: 'count<3', abortOnFail: true }] },
};

export default function () {
  soMany.add(1);
  sleep(0.25);
}
