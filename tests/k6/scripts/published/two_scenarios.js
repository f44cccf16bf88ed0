// Browsing and buying at once, each with its own function, tags and environment.
// @tolerance all 2
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  scenarios: {
    browse: {
      executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'browse', tags: { team: 'web' }, env: { PAGE: '/html' },
    },
    buy: {
      executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', duration: '1s', preAllocatedVUs: 3, exec: 'buy',
      startTime: '200ms', gracefulStop: '1s',
    },
  },
  thresholds: { 'http_reqs{team:web}': ['count==4'], 'http_req_failed{scenario:buy}': ['rate==0'] },
};

export function browse() {
  check(http.get(`${__ENV.BASE}${__ENV.PAGE}`), { html: (r) => r.html('title').text().length > 0 });
}

export function buy() {
  http.post(`${__ENV.BASE}/post`, { sku: 'a1' }, { tags: { name: 'buy' } });
}
