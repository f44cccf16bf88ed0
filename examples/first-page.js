// The first page of an app store: four queries, one after the other, on one connection.
//
// What it shows: where the line is when the load is ramped up. The queries take
// 120 + 100 + 15 + 15 = 250 ms and a page holds its connection all that time, so
// 10 connections / 0.25 s = 40 pages a second at most. This script ramps up to 60/s and
// holds it: latency climbs once 40/s is passed, p95 misses 800 ms, and when the wait for a
// connection reaches 3 s (the pool's acquire time-out) some pages answer 503.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"first_page": {"rating_ms": 20, "downloads_ms": 20}}'
//     the two heavy queries read a prepared view: 70 ms, 142/s. Everything passes.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pool": {"max": 20}}'
//     80/s: passes as well, and moves the limit to whatever those connections need.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"break_body": {"after": 200}}}'
//     a response broken while tuning: status 200 and fast, but the lists are gone. Only the checks see it.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';
const RATE = Number(__ENV.RATE || 60);

export const options = {
  scenarios: {
    first_page: {
      executor: 'ramping-arrival-rate',
      startRate: 10,
      timeUnit: '1s',
      stages: [
        { duration: __ENV.RAMP || '10s', target: RATE },
        { duration: __ENV.HOLD || '10s', target: RATE },
      ],
      preAllocatedVUs: 250,
    },
  },
  thresholds: {
    http_req_failed: ['rate==0'],
    http_req_duration: ['p(95)<=800'],
    checks: ['rate==1'],
  },
};

const ORDERS = ['rating', 'downloads', 'newest', 'updated'];

export default function () {
  // Three of four visitors open the whole page, one looks at a category.
  const category = Math.random() < 0.25 ? `/${1 + Math.floor(Math.random() * 3)}` : '';
  const res = http.get(`${BASE}/apps/first-page${category}`, {
    tags: { name: category ? '/apps/first-page/{category}' : '/apps/first-page' },
  });
  check(res, {
    'status is 200': (r) => r.status === 200,
    'every order has ten apps': (r) =>
      r.status === 200 && ORDERS.every((order) => r.json(`orders.${order}.#`) === 10),
  });
}
