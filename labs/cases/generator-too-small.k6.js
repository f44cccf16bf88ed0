// The truth of that name: each iteration computes for 20 to 70 ms before its request, so one core can start 15 to 50/s
// of the 200/s asked for, whatever the target could do.
import http from 'k6/http';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';
const ROUNDS = Number(__ENV.ROUNDS || 150000);

export const options = {
  scenarios: {
    heavy: {
      executor: 'constant-arrival-rate',
      rate: 200,
      timeUnit: '1s',
      duration: '10s',
      preAllocatedVUs: 50,
      maxVUs: 50,
      gracefulStop: '5s',
    },
  },
};

export default function () {
  let value = 1;
  for (let round = 0; round < ROUNDS; round++) {
    value = (value * 1103515245 + 12345) % 2147483648;
  }
  http.get(`${target}/noop`, { headers: { 'x-value': `${value}` } });
}
