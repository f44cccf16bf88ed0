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
//
// [한국어] 앱스토어의 첫 페이지: 한 커넥션에서 쿼리 네 개를 차례로 실행합니다.
//
// 보여 주는 것: 부하를 올릴 때 한계선이 어디인가. 쿼리가 120 + 100 + 15 + 15 = 250 ms 걸리고 그동안
// 커넥션 하나를 쓰므로, 커넥션 10개 / 0.25초 = 초당 40페이지가 최대입니다. 이 스크립트는 초당 60페이지까지
// 올린 뒤 유지합니다. 40을 넘으면 지연 시간이 늘어 p95가 800 ms를 넘고, 커넥션 대기가 3초(풀의 대기
// 제한 시간)에 이르면 일부 페이지가 503을 받습니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"first_page": {"rating_ms": 20, "downloads_ms": 20}}'
//     무거운 쿼리 두 개가 미리 만든 뷰를 읽습니다. 70 ms, 초당 142페이지로 모두 통과합니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pool": {"max": 20}}'
//     초당 80페이지로 이것도 통과합니다. 한계는 늘어난 커넥션을 받는 쪽으로 옮겨 갑니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"break_body": {"after": 200}}}'
//     튜닝하다 깨진 응답: 상태 코드는 200이고 빠르지만 목록이 없습니다. check만 알아챕니다.
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다.

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
  // 방문자 넷 중 셋은 전체 페이지를, 하나는 카테고리를 봅니다.
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
