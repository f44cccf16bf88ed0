// The detail page of a travel content: two GETs, then 2 to 3 s of reading (think time).
//
// What it shows: what a script can offer at most. 200 VUs send 2 requests each 2.5 s on
// average, so the offered load cannot exceed 200 x 2 / 2.5 s = 160/s, however fast the
// target is. At default settings it carries that easily: 10 connections / 10 ms = 1,000/s.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"contents": {"query_ms": 100}}'
//     10 connections / 100 ms = 100/s, less than the script offers: requests queue for a
//     connection, p95 goes over 500 ms, and throughput stays near 100/s.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"contents": {"query_ms": 100}, "pool": {"max": 100}}'
//     1,000/s again: passes. (30 connections carry 300/s, twice what is offered, and still miss
//     the goal: 200 VUs that start together come in bursts, and bursts queue.)
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.

import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    readers: {
      executor: 'constant-vus',
      vus: Number(__ENV.VUS || 200),
      duration: __ENV.DURATION || '20s',
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500'],
    checks: ['rate>0.99'],
  },
};

function deviceId() {
  return `device-${Math.floor(Math.random() * 1e9)}`;
}

export default function () {
  // One content out of 3,000, so that no single row is read by everybody.
  const id = 1 + Math.floor(Math.random() * 3000);
  const params = (name) => ({ headers: { 'device-fid': deviceId() }, tags: { name } });

  const places = http.get(`${BASE}/contents/${id}/places`, params('/contents/{id}/places'));
  check(places, {
    'places: status is 200': (r) => r.status === 200,
    'places: there are 17': (r) => r.status === 200 && r.json('places.#') === 17,
  });

  const content = http.get(`${BASE}/contents/${id}`, params('/contents/{id}'));
  check(content, {
    'content: status is 200': (r) => r.status === 200,
    'content: it is the one asked for': (r) => r.status === 200 && r.json('content.id') === id,
  });

  sleep(Math.random() + 2);
}
