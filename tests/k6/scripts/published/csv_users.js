// Users from a file, one each iteration.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { SharedArray } from 'k6/data';

const users = new SharedArray('users', function () {
  const [head, ...rows] = open('./data/users.csv').trim().split('\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((value, i) => [names[i], value])));
});

export const options = {
  scenarios: {
    users: { executor: 'shared-iterations', vus: 1, iterations: users.length, maxDuration: '5s' },
  },
};

export default function () {
  const { username, password } = users[exec.scenario.iterationInTest];
  const res = http.post(`${__ENV.BASE}/login`, { user: username, password });
  check(res, { 'login allowed': (r) => r.status === 200 }, { user: username });
  console.log(`${username}: ${res.json('code')}`);
}
