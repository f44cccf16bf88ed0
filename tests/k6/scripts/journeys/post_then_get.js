// A chained pair: POST an id that may be used once, then GET it.
import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';
import { SharedArray } from 'k6/data';

const ids = new SharedArray('ids', () => open('./data/ids.csv').trim().split('\n').map(Number));

export const options = {
  scenarios: { pair: { executor: 'shared-iterations', vus: 4, iterations: 40 } },
  thresholds: { checks: ['rate==1'], http_req_failed: ['rate<0.01'] },
};

export default function () {
  const deerId = ids[exec.scenario.iterationInTest];
  const made = http.post(`${__ENV.BASE}/deers`, JSON.stringify({ userId: 3, deerId, data: `d${deerId}` }), { tags: { name: 'make' } });
  check(made, { 'made 200': (r) => r.status === 200, 'made success': (r) => r.json('code') === 'success' });
  const read = http.get(`${__ENV.BASE}/deers?userId=3&deerId=${deerId}`, { tags: { name: 'read' } });
  check(read, { 'read 200': (r) => r.status === 200, 'read success': (r) => r.json('code') === 'success', 'same data': (r) => r.json('data') === `d${deerId}` });
}
