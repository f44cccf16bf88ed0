// Case B: POST a deer, then GET it. A deer id may be used once: each iteration takes the next of the file.
// First: labs/cases/make-data
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { SharedArray } from 'k6/data';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';
const column = (file) => open(file).trim().split('\n').slice(1);
const deers = new SharedArray('deers', () => column('./data/deers.csv'));
const users = new SharedArray('users', () => column('./data/users.csv'));

export const options = {
  scenarios: {
    deers: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 5),
      timeUnit: '1s',
      duration: __ENV.HOLD || '30s',
      preAllocatedVUs: 50,
      maxVUs: 500,
    },
  },
  thresholds: { checks: ['rate==1'], dropped_iterations: ['count==0'] },
};

export default function () {
  const number = exec.scenario.iterationInTest;
  const deerId = Number(deers[number]);
  const userId = Number(users[number % users.length]);
  const json = { headers: { 'Content-Type': 'application/json' } };
  const isSuccess = { 'status is 200': (r) => r.status === 200, 'code is success': (r) => r.status === 200 && r.json('code') === 'success' };

  const posted = http.post(`${target}/deers`, JSON.stringify({ userId, deerId, data: 'from k6' }), json);
  check(posted, isSuccess);
  const stored = http.get(`${target}/deers?userId=${userId}&deerId=${deerId}`, { tags: { name: '/deers?userId=&deerId=' } });
  check(stored, isSuccess);
}
