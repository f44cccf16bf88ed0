// Tags of the run, the scenario and the request.
import http from 'k6/http';

export const options = {
  tags: { level: 'run', only: 'run' },
  scenarios: { s: { executor: 'per-vu-iterations', tags: { level: 'scenario' } } },
  thresholds: { 'http_reqs{level:request}': ['count==1'], 'http_reqs{level:scenario}': ['count==1'], 'http_reqs{only:run}': ['count==2'], 'http_reqs{level:run}': ['count==0'] },
};

export default function () {
  http.get(`${__ENV.BASE}/get`);
  http.get(`${__ENV.BASE}/get`, { tags: { level: 'request' } });
}
