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
//
// [한국어] 여행 콘텐츠 상세 페이지: GET 두 번, 그다음 2-3초 읽기(생각 시간).
//
// 보여 주는 것: 스크립트가 보낼 수 있는 최대 부하. 가상 사용자 200명이 평균 2.5초마다 요청을 2건씩
// 보내므로, 대상 서버가 아무리 빨라도 200 x 2 / 2.5초 = 초당 160건을 넘지 못합니다. 기본 설정에서는
// 커넥션 10개 / 10 ms = 초당 1,000건이라 여유롭게 처리합니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"contents": {"query_ms": 100}}'
//     커넥션 10개 / 100 ms = 초당 100건으로 스크립트가 보내는 양보다 적습니다. 요청이 커넥션을
//     기다리고, p95가 500 ms를 넘고, 처리량은 초당 100건 근처에 머뭅니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"contents": {"query_ms": 100}, "pool": {"max": 100}}'
//     다시 초당 1,000건이 되어 통과합니다. (커넥션 30개면 초당 300건으로 보내는 양의 두 배지만 그래도
//     목표에 미달합니다. 함께 시작한 200명의 요청이 한꺼번에 몰려 줄을 서기 때문입니다.)
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다.

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
// 모두가 한 행만 읽지 않도록 콘텐츠 3,000개 가운데 하나.
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
