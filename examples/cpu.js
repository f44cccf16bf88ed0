// Work that needs a core: GET /cpu computes for 10 ms on one of a bounded set of threads.
//
// What it shows: saturation. Highest rate = threads / work = 1 / 0.01 s = 100/s. Up to 5 s
// this script offers 20/s and latency stays near 10 ms; then it offers 130/s. The target
// cannot do more than 100/s, so 30 requests more wait each second and latency climbs, by
// 0.3 s or more with each second. The threshold on the first part passes, on the second it fails.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"work_ms": 2}}'
//     a fifth of the work: 1 / 0.002 s = 500/s, everything passes.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"threads": 2}}'
//     200/s, if the machine has two cores to spare for it: passes. On a machine with two
//     cores the generator needs its share of them too.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"waiting_max": 10}}'
//     at most 10 requests wait, later ones answer 503 at once: the wait stays short, requests fail.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    below: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.BELOW || 20),
      timeUnit: '1s',
      duration: '5s',
      preAllocatedVUs: 20,
    },
    above: {
      executor: 'constant-arrival-rate',
      startTime: '5s',
      rate: Number(__ENV.ABOVE || 130),
      timeUnit: '1s',
      duration: '8s',
      preAllocatedVUs: 400,
    },
  },
  thresholds: {
    'http_req_duration{scenario:below}': ['p(95)<500'],
    'http_req_duration{scenario:above}': ['p(95)<500'],
    http_req_failed: ['rate<0.01'],
    dropped_iterations: ['count<1'],
  },
};

export default function () {
  const res = http.get(`${BASE}/cpu`);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
