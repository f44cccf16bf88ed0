// The fastest answer there is: GET /fast, a small JSON body with no work behind it.
//
// What it shows: a closed loop. 10 virtual users (VUs) each send their next request when
// the last one is answered, so throughput = VUs / latency. Nothing limits the target but
// its CPU, and everything passes.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"latency_ms": 200}}'
//     p95 goes over 100 ms and throughput falls to about 10 / 0.2 s = 50/s.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_percent": 5}}'
//     5 % of the requests answer 500: http_req_failed and checks go over their thresholds.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_in_200_percent": 5}}'
//     5 % carry an error inside a 200: only the checks see it.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"break_body": {"after": 1000}}}'
//     after 1,000 answers the body is {}: status 200, and only the checks see it.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    fast: {
      executor: 'constant-vus',
      vus: Number(__ENV.VUS || 10),
      duration: __ENV.DURATION || '10s',
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<100'],
    checks: ['rate>0.99'],
  },
};

export default function () {
  const res = http.get(`${BASE}/fast`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'code is success': (r) => code(r) === 'success',
  });
}

// A body that is missing or no JSON is a failed check, not an exception.
function code(res) {
  try {
    return res.json('code');
  } catch (e) {
    return undefined;
  }
}
