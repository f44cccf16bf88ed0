// @tolerance iterations 12%
// @tolerance http_reqs 12%
// @tolerance calls.count 12%
// @tolerance requests 12%
// Two scenarios with their own functions, environment and tags; one starts later.
import http from 'k6/http';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
const calls = new Counter('calls');
export const options = {
  scenarios: {
    browse: { executor: 'constant-arrival-rate', rate: 20, timeUnit: '1s', duration: '1s', preAllocatedVUs: 3, exec: 'browse', env: { PAGE: 'get' }, tags: { kind: 'read' } },
    write: { executor: 'ramping-arrival-rate', startRate: 5, timeUnit: '1s', startTime: '500ms', preAllocatedVUs: 3, stages: [{ target: 10, duration: '1s' }], exec: 'write', env: { PAGE: 'post' }, tags: { kind: 'write' }, gracefulStop: '1s' },
  },
  thresholds: { 'http_req_failed{kind:read}': ['rate==0'], 'calls{kind:write}': ['count>2'], 'http_req_duration{scenario:browse}': ['p(99)<5000'] },
};
export function browse() { http.get(`${__ENV.BASE}/${__ENV.PAGE}`); calls.add(1); if (exec.scenario.iterationInTest === 0) console.log(exec.scenario.name, exec.scenario.executor, __ENV.PAGE); }
export function write() { http.post(`${__ENV.BASE}/${__ENV.PAGE}`, { a: 1 }); calls.add(1); if (exec.scenario.iterationInTest === 0) console.log(exec.scenario.name, exec.scenario.executor, __ENV.PAGE); }
