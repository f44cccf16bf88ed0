// @tolerance iterations 2
// @tolerance http_reqs 2
// Several scenarios at once, each with its own function, environment and tags.
import http from 'k6/http';

export const options = {
  scenarios: {
    readers: { executor: 'per-vu-iterations', vus: 2, iterations: 3, exec: 'read', env: { PAGE: 'news' }, tags: { role: 'reader' } },
    writers: { executor: 'shared-iterations', vus: 2, iterations: 4, exec: 'write', env: { PAGE: 'drafts' }, tags: { role: 'writer' } },
    watchers: { executor: 'constant-arrival-rate', rate: 10, duration: '1s', preAllocatedVUs: 20, exec: 'watch' },
  },
  thresholds: { 'http_reqs{role:reader}': ['count==6'], 'http_reqs{role:writer}': ['count==4'], 'iterations{scenario:watchers}': ['count>=8'] },
};

export function read() {
  console.log(http.get(`${__ENV.BASE}/anything/${__ENV.PAGE}`).json('path'));
}
export function write() {
  console.log(http.post(`${__ENV.BASE}/anything/${__ENV.PAGE}`, 'x').json('path'));
}
export function watch() {
  http.get(`${__ENV.BASE}/get`);
}
