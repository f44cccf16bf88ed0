// A burst that tapers off, with thresholds on errors and latency.
// @tolerance iterations 1
// @tolerance http_reqs 1
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  scenarios: {
    burst: {
      executor: 'ramping-arrival-rate',
      startRate: 60,
      timeUnit: '1s',
      preAllocatedVUs: 50,
      maxVUs: 50,
      stages: [{ duration: '1s', target: 60 }, { duration: '0s', target: 30 }, { duration: '1s', target: 30 }, { duration: '1s', target: 0 }],
    },
  },
  thresholds: { http_req_failed: ['rate<0.01'], http_req_duration: ['p(95)<3000'] },
};

export default function () {
  http.get(`${__ENV.BASE}/delay/5`);
}
