// Case C: the submission list, VUS users without think time (the step table), or a planned rate with RATE.
import http from 'k6/http';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27080';
const duration = __ENV.HOLD || '10s';

export const options = {
  scenarios: {
    submissions: __ENV.RATE
      ? { executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration, preAllocatedVUs: 100, maxVUs: 1000 }
      : { executor: 'constant-vus', vus: Number(__ENV.VUS || 7), duration },
  },
};

export default function () {
  const page = http.get(`${target}/submissions?page=0&size=20`);
  check(page, {
    'status is 200': (r) => r.status === 200,
    'twenty rows': (r) => r.json('data.#') === 20,
  });
}
