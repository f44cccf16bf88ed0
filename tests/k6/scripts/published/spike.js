// A sudden spike.
// @tolerance all 60%
import http from 'k6/http';
import { sleep, check } from 'k6';

export const options = {
  scenarios: {
    spike: {
      executor: 'ramping-vus', startVUs: 0, gracefulRampDown: '0s', gracefulStop: '500ms',
      stages: [{ duration: '200ms', target: 1 }, { duration: '100ms', target: 8 }, { duration: '500ms', target: 8 }, { duration: '200ms', target: 0 }],
    },
  },
  discardResponseBodies: true,
};

export default function () {
  check(http.get(`${__ENV.BASE}/get`), { 'no body is kept': (r) => r.body === null });
  sleep(0.3);
}
