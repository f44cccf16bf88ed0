// @args --summary-mode full
// @compare summary-text
// The full summary: every HTTP phase, a block per group and scenario.
import http from 'k6/http';
import { check, group } from 'k6';

export const options = {
  scenarios: {
    browse: { executor: 'per-vu-iterations', vus: 1, iterations: 2, exec: 'browse' },
    buy: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'buy', startTime: '500ms' },
  },
};

export function browse() {
  group('front', () => {
    check(http.get(`${__ENV.BASE}/get`), { 'front is up': (r) => r.status === 200 });
  });
}
export function buy() {
  check(http.post(`${__ENV.BASE}/post`, 'x'), { 'bought': (r) => r.status === 200 });
}
