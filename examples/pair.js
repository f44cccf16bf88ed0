// A chained pair: POST /deers, then GET what was posted. One pair is one iteration.
//
// What it shows: unique feeding and captured values. Each deerId may be used only once, so
// an iteration takes the id at its own number in the whole test; with a random pick from
// 99,001 ids the chance of at least one repeat is 0.36 at 300 iterations and 0.999 at 1,200.
// A repeat answers 200 with code "duplicate": only the checks see it. The GET asks for the
// id that the POST gave back. Everything passes.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000}}'
//     POST now calls another server for 2 s and holds its connection meanwhile: 10 connections
//     / 2 s = 5 pairs/s at most, 20/s are offered. Requests wait, then answer 503.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000, "call": "outside"}}'
//     the same call before the connection is taken: every pair succeeds, after 2 s each.
//   PICK=random
//     picks ids at random instead: "duplicate" appears and the checks fail. (10 s at 20/s
//     repeat at least one id with a chance of 0.18; with RATE=100 of 0.99.)
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.

import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { SharedArray } from 'k6/data';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

// One copy for all virtual users. With a file of your own: open('./ids.csv').split('\n').
const deerIds = new SharedArray('deer ids', () => Array.from({ length: 99001 }, (_, i) => i + 1));
const userIds = new SharedArray('user ids', () => Array.from({ length: 1000 }, (_, i) => i + 1));

export const options = {
  scenarios: {
    pairs: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 20),
      timeUnit: '1s',
      duration: __ENV.DURATION || '10s',
      preAllocatedVUs: Number(__ENV.VUS || 150),
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate<0.01'],
    'http_req_duration{name:POST /deers}': ['p(95)<2500'],
    'http_req_duration{name:GET /deers}': ['p(95)<500'],
  },
};

// Ids used by an earlier run are free again.
export function setup() {
  const res = http.del(`${BASE}/deers`);
  if (res.status !== 200) {
    throw new Error(`DELETE ${BASE}/deers answered ${res.status}: is the target running?`);
  }
}

export default function () {
  const n = exec.scenario.iterationInTest;
  const deerId = __ENV.PICK === 'random'
    ? deerIds[Math.floor(Math.random() * deerIds.length)]
    : deerIds[n % deerIds.length];
  const userId = userIds[n % userIds.length];

  const body = JSON.stringify({ userId, deerId, data: `deer ${deerId} of user ${userId}` });
  const posted = http.post(`${BASE}/deers`, body, {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'POST /deers' },
  });
  const stored = check(posted, {
    'POST: status is 200': (r) => r.status === 200,
    'POST: code is success': (r) => r.status === 200 && r.json('code') === 'success',
  });
  if (!stored) {
    return; // Nothing to ask for.
  }

  const id = posted.json('deerId');
  const found = http.get(`${BASE}/deers?userId=${userId}&deerId=${id}`, {
    tags: { name: 'GET /deers' },
  });
  check(found, {
    'GET: status is 200': (r) => r.status === 200,
    'GET: code is success': (r) => r.status === 200 && r.json('code') === 'success',
  });
}
