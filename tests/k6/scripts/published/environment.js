// One script, many environments.
// @args -e TARGET=staging -e ITERATIONS=2 --tag build=42
import http from 'k6/http';
import { check } from 'k6';

const ENVIRONMENTS = {
  staging: { base: __ENV.BASE, p95: 2000 },
  production: { base: 'https://example.test', p95: 300 },
};
const environment = ENVIRONMENTS[__ENV.TARGET] || ENVIRONMENTS.production;

export const options = {
  iterations: __ENV.ITERATIONS,
  thresholds: {
    http_req_duration: [`p(95)<${environment.p95}`],
    'http_reqs{build:42}': ['count==2'],
  },
  summaryTrendStats: ['min', 'med', 'p(99)', 'count'],
  noConnectionReuse: true,
  userAgent: 'MyCompany/1.0',
};

export default function () {
  const res = http.get(http.url`${environment.base}/anything/${__ITER}`);
  check(res, { 'own agent': (r) => r.json('headers.user-agent') === 'MyCompany/1.0' });
}
