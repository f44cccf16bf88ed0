// Case A: the app store's first page. KIND=load (default), stress or break; RATE is the goal of the load test.
import http from 'k6/http';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';
const rate = Number(__ENV.RATE || 100);
const ramp = __ENV.RAMP || '1m';
const hold = __ENV.HOLD || '10m';

const stages = {
  load: [{ target: rate, duration: ramp }, { target: rate, duration: hold }],
  stress: [
    { target: rate, duration: ramp },
    { target: rate * 2, duration: ramp },
    { target: rate * 2, duration: hold },
    { target: 0, duration: ramp },
  ],
  break: [{ target: rate * 20, duration: hold }],
};
const kind = __ENV.KIND || 'load';

export const options = {
  scenarios: {
    first_page: {
      executor: 'ramping-arrival-rate',
      startRate: 1,
      timeUnit: '1s',
      preAllocatedVUs: 50,
      maxVUs: 500,
      stages: stages[kind],
    },
  },
  thresholds: {
    http_req_duration: [{ threshold: 'p(95)<=800', abortOnFail: kind === 'break', delayAbortEval: '10s' }],
    checks: ['rate==1'],
  },
};

const categories = ['', '/FARM', '/GAME', '/TOOL'];

export default function () {
  const path = `/apps/first-page${categories[__ITER % categories.length]}`;
  const answer = http.get(target + path, { tags: { name: path } });
  check(answer, {
    'status is 200': (r) => r.status === 200,
    'code is success': (r) => r.json('code') === 'success',
    // A list that got lost while tuning is an answer with status 200, and a quicker one.
    'all four lists have 20 apps': (r) =>
      ['rating', 'downloads', 'newest', 'updated'].every((order) => r.json(`data.${order}.#`) === 20),
  });
}
