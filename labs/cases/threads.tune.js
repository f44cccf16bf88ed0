// Too few threads, for studies of settings: users who post without a pause, with ids that no earlier trial used.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';

export const options = {
  scenarios: {
    deers: { executor: 'constant-vus', vus: Number(__ENV.USERS || 70), duration: __ENV.HOLD || '8s', gracefulStop: '20s' },
  },
};

// Ids begin where no earlier trial began.
export function setup() {
  return Date.now();
}

export default function (began) {
  const deerId = (began % 1e9) * 1000 + exec.scenario.iterationInTest;
  const json = { headers: { 'Content-Type': 'application/json' } };
  const posted = http.post(`${target}/deers`, JSON.stringify({ userId: 1 + (deerId % 3000), deerId, data: 'tune' }), json);
  check(posted, { 'status is 200': (r) => r.status === 200 });
}
