// Each record of a list is used once, by iterationInTest.
import exec from 'k6/execution';
import { SharedArray } from 'k6/data';
import http from 'k6/http';

const users = new SharedArray('users', () => Array.from({ length: 20 }, (_, i) => ({ id: 100 + i })));

export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 4, iterations: users.length } } };

export default function () {
  const user = users[exec.scenario.iterationInTest];
  const res = http.post(`${__ENV.BASE}/deers`, JSON.stringify({ userId: 1, deerId: user.id, data: 'd' }));
  console.log(user.id, res.json('code'));
}
