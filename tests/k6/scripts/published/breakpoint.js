// More and more starts, until a threshold says stop.
// @tolerance all 10%
import http from 'k6/http';
import { Rate } from 'k6/metrics';

const errors = new Rate('errors');

export const options = {
  scenarios: {
    breaking: {
      executor: 'ramping-arrival-rate',
      startRate: 20,
      timeUnit: '1s',
      preAllocatedVUs: 10,
      maxVUs: 20,
      stages: [{ target: 40, duration: '500ms' }, { target: 0, duration: '500ms' }],
    },
  },
  thresholds: { errors: ['rate<0.05'], dropped_iterations: ['count<5'] },
};

export default function () {
  errors.add(http.get(`${__ENV.BASE}/status/200`).status >= 500);
}
