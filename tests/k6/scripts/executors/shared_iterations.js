// shared-iterations: exactly that many, whoever runs them.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 5, iterations: 53, maxDuration: '10s' } } };

export default function () {
  check(exec.scenario.iterationInTest, { 'in range': (n) => n >= 0 && n < 53 });
  http.post(`${__ENV.BASE}/counter/shared`);
}

export function teardown() {
  console.log(http.get(`${__ENV.BASE}/counter/shared`).json('value'));
}
