// An open model: RATE iterations a second for DURATION.
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  scenarios: {
    open: {
      executor: 'constant-arrival-rate',
      rate: __ENV.RATE,
      duration: __ENV.DURATION,
      preAllocatedVUs: 100,
      maxVUs: 1000,
    },
  },
};

export default function () {
  const res = http.get(__ENV.URL);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
