// Case B for studies of settings: as b.k6.js, but with ids that no earlier trial used.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';

export const options = {
  scenarios: {
    deers: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 24),
      timeUnit: '1s',
      duration: __ENV.HOLD || '4s',
      gracefulStop: '3s',
      preAllocatedVUs: 200,
      maxVUs: 200,
    },
  },
};

// Ids begin where no earlier trial began.
export function setup() {
  return Date.now();
}

export default function (began) {
  const deerId = (began % 1e9) * 1000 + exec.scenario.iterationInTest;
  const userId = 1 + (deerId % 3000);
  const json = { headers: { 'Content-Type': 'application/json' } };
  const posted = http.post(`${target}/deers`, JSON.stringify({ userId, deerId, data: 'tune' }), json);
  check(posted, { 'status is 200': (r) => r.status === 200 });
  http.get(`${target}/deers?userId=${userId}&deerId=${deerId}`, { tags: { name: '/deers?userId=&deerId=' } });
}
