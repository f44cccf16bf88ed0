// ramping-vus up and down.
// @tolerance iterations 2
// @tolerance http_reqs 2
import http from 'k6/http';
import { sleep } from 'k6';

export const options = {
  scenarios: {
    s: {
      executor: 'ramping-vus',
      startVUs: 0,
      stages: [
        { duration: '1s', target: 4 },
        { duration: '500ms', target: 4 },
        { duration: '1s', target: 0 },
      ],
      gracefulRampDown: '2s',
    },
  },
};

export default function () {
  http.get(`${__ENV.BASE}/get`);
  sleep(0.45);
}
