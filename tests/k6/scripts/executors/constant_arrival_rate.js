// constant-arrival-rate: starts are even and independent of answers.
// @tolerance iterations 1
// @tolerance http_reqs 1
import http from 'k6/http';

export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 50, timeUnit: '1s', duration: '2s', preAllocatedVUs: 10 } },
};

export default function () {
  http.get(`${__ENV.BASE}/delay/20`);
}
