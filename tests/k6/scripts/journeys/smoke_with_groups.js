// @exit 99
// A smoke test in groups, custom metrics, a failing step.
import http from 'k6/http';
import { check, group, fail } from 'k6';
import { Rate, Trend } from 'k6/metrics';

const errorRate = new Rate('errors');
const loginTime = new Trend('login_time', true);

export const options = { iterations: 2, thresholds: { errors: ['rate<0.5'], 'group_duration{group:::02 search}': ['p(95)<5000'] } };

export default function () {
  group('01 login', () => {
    const res = http.post(`${__ENV.BASE}/login`, { user: 'u', password: 'secret' });
    loginTime.add(res.timings.duration);
    if (!check(res, { 'logged in': (r) => r.status === 200 })) fail('no login');
  });
  group('02 search', () => {
    const res = http.get(`${__ENV.BASE}/anything/search?q=ship`);
    errorRate.add(res.status !== 200);
    check(res, { 'found': (r) => r.json('query.q.0') === 'ship' });
  });
  group('03 gone', () => {
    const res = http.get(`${__ENV.BASE}/status/404`);
    errorRate.add(res.status !== 200);
    check(res, { 'exists': (r) => r.status === 200 });
  });
}
