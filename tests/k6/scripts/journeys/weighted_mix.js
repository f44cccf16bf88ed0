// A mix of flows by weight, decided by the iteration's number.
import exec from 'k6/execution';
import http from 'k6/http';

export const options = {
  scenarios: { mix: { executor: 'shared-iterations', vus: 3, iterations: 30 } },
  thresholds: { 'http_reqs{flow:read}': ['count==24'], 'http_reqs{flow:write}': ['count==6'] },
};

export default function () {
  const write = exec.scenario.iterationInTest % 5 === 0;
  if (write) http.post(`${__ENV.BASE}/post`, 'w', { tags: { flow: 'write' } });
  else http.get(`${__ENV.BASE}/get`, { tags: { flow: 'read' } });
}
