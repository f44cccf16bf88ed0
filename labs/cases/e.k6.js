// Case E: everybody joins at once, then fewer and fewer: 300/s for 10 s, then 150, 100, 50, 30, 0 over 3 minutes.
// SCALE shortens it (0.1: a tenth of the time) for a trial.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27083';
const scale = Number(__ENV.SCALE || 1);
const seconds = (length) => `${Math.max(1, Math.round(length * scale))}s`;

export const options = {
  scenarios: {
    join: {
      executor: 'ramping-arrival-rate',
      startRate: 300,
      timeUnit: '1s',
      preAllocatedVUs: 300,
      maxVUs: 300,
      stages: [
        { target: 300, duration: seconds(10) },
        { target: 150, duration: seconds(34) },
        { target: 100, duration: seconds(34) },
        { target: 50, duration: seconds(34) },
        { target: 30, duration: seconds(34) },
        { target: 0, duration: seconds(34) },
      ],
    },
  },
  thresholds: { http_req_failed: ['rate<0.01'], http_req_duration: ['p(95)<300'] },
};

export default function () {
  const user = `k6-${exec.scenario.startTime}-${exec.scenario.iterationInTest}`;
  const tags = (name) => ({ tags: { name } });
  const joined = http.post(`${target}/queues/queue-1/members?user=${user}`, null, tags('join'));
  check(joined, { 'has a place': (r) => r.status === 200 && r.json('code') === 'success' });
  const place = http.get(`${target}/queues/queue-1/rank?user=${user}`, tags('rank'));
  check(place, { 'keeps it': (r) => r.status === 200 && r.json('rank') >= 0 });
}
