// Thresholds per scenario.
import http from 'k6/http';

export const options = {
  scenarios: {
    read: { executor: 'per-vu-iterations', vus: 2, iterations: 3, exec: 'read' },
    write: { executor: 'shared-iterations', vus: 1, iterations: 4, exec: 'write' },
  },
  thresholds: {
    'http_reqs{scenario:read}': ['count==6'],
    'http_reqs{scenario:write}': ['count==4'],
    'http_req_duration{scenario:read}': ['p(99)<10000'],
    'http_req_failed{scenario:write}': ['rate==1'],
  },
};

export function read() {
  http.get(`${__ENV.BASE}/get`);
}
export function write() {
  http.post(`${__ENV.BASE}/status/500`, 'x');
}
