// constant-arrival-rate: starts are even and independent of answers.
// @tolerance iterations 2
// @tolerance http_reqs 2
import http from 'k6/http';

export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 50, timeUnit: '1s', duration: '2s', preAllocatedVUs: 30 } },
};

export default function () {
  http.get(`${__ENV.BASE}/delay/20`);
}
