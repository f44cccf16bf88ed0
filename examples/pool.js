// A connection pool that runs dry: GET /pooled holds one of 10 connections while it makes
// a slow call (500 ms) to another server.
//
// What it shows: the pool law. Highest rate = permits / hold time. With the call inside,
// a connection is held 10 ms (query) + 500 ms (call): 10 / 0.51 s = 19.6/s. This script
// offers 30/s and does not slow down when the target does (an open model), so 10 requests
// more wait each second. After about 6 s they wait 3 s, the pool's acquire time-out, and
// from then on every third answer is 503. Errors and p95 miss their thresholds.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pooled": {"call": "outside"}}'
//     the call is made before a connection is taken: hold time 10 ms, 10 / 0.01 s = 1,000/s.
//     Everything passes, with the pool as it was.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pool": {"max": 20}}'
//     20 / 0.51 s = 39/s: passes too, until the rate grows (RATE=50).
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start. Let the last run's requests drain (3 s) before the next one.
// Watch the pool meanwhile: curl -s http://127.0.0.1:8080/metrics | grep pool

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    pool: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 30),
      timeUnit: '1s',
      duration: __ENV.DURATION || '20s',
      // Enough that none is missing: rate x the longest response (3 s + 0.51 s), and some more.
      preAllocatedVUs: Number(__ENV.VUS || 150),
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<1000'],
    dropped_iterations: ['count<1'],
  },
};

export default function () {
  const res = http.get(`${BASE}/pooled`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'a connection was free in time': (r) => r.status !== 503,
  });
}
