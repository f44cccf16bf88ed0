// @exit 99
// abortOnFail stops the test.
import { Counter } from 'k6/metrics';
import { sleep } from 'k6';

const bad = new Counter('bad_things');
export const options = {
  vus: 1,
  duration: '8s',
  thresholds: { bad_things: [{ threshold: 'count<1', abortOnFail: true }] },
};

export default function () {
  bad.add(1);
  sleep(10);
}

export function teardown() {
  console.log('teardown ran');
}
