// Ramp up, hold, ramp down.
// @tolerance all 60%
// @tolerance checks 60%
import http from 'k6/http';
import { check, sleep } from 'k6';

export let options = {
  stages: [
    { duration: '400ms', target: 3 },
    { duration: '600ms', target: 3 },
    { duration: '300ms', target: 0 },
  ],
  thresholds: { checks: ['rate>0.99'], http_req_duration: ['avg<1000', 'p(90)<1500'] },
};

export default () => {
  const responses = http.batch([
    ['GET', `${__ENV.BASE}/get`, null, { tags: { type: 'page' } }],
    ['GET', `${__ENV.BASE}/json`, null, { tags: { type: 'api' } }],
  ]);
  check(responses[0], { 'page is there': (r) => r.status === 200 });
  check(responses[1], { 'api answers': (r) => r.json('store.name') === 'harbour' });
  sleep(0.2);
};
