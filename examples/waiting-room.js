// A burst that tapers off: people join a waiting room, 300 a second for 10 s, then fewer and
// fewer, and look once at their place in the queue.
//
// What it shows: a ramping arrival rate. Planned iterations are the area under the curve:
//   300/s for 10 s                     3,000
//   300 -> 150 in 10 s                 2,250
//   150 -> 100 in 30 s                 3,750
//   100 ->  50 in 50 s                 3,750
//    50 ->  30 in 50 s                 2,000
//    30 ->   0 in 30 s                   450
//                     3 minutes       15,200, of which the last falls on the very end
// A join holds one of 10 connections for 5 ms, so 2,000 a second fit and everything passes.
//
// Shorter or smaller: FACTOR=0.1 for a tenth of the people, TIME_FACTOR=0.1 for a tenth of
// the time; with both, 152 iterations in 18 s. (FACTOR should keep the rates whole: 1, 0.5, 0.1.)
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"waiting_room": {"join_ms": 50}}'
//     10 connections / 50 ms = 200 joins a second. The burst does not fit: joins queue, p95
//     goes over 300 ms, all 300 VUs are busy and iterations are dropped, until the rate is
//     below 200 a second again.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"waiting_room": {"admitted_per_second": 20}}'
//     the same load, but people are let in more slowly: the place in the queue grows
//     (trend queue_position), latency does not.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start, with an empty queue.
//
// [한국어] 몰렸다가 잦아드는 방문: 처음 10초 동안 초당 300명, 그 뒤로 점점 적은 사람이 대기실에 들어와 자기 순서를
// 한 번 확인합니다.
//
// 보여 주는 것: 변하는 도착률. 계획한 반복 수는 위의 표처럼 곡선 아래의 넓이이고 3분 동안 15,200회입니다.
// 그중 마지막 하나는 종료 시각에 걸립니다. 입장 등록은 커넥션 10개 중 하나를 5 ms 동안 쓰므로 초당
// 2,000건까지 가능하고 모두 통과합니다.
//
// 짧게 또는 작게 하려면: FACTOR=0.1은 사람을 10분의 1로, TIME_FACTOR=0.1은 시간을 10분의 1로 줄입니다.
// 둘 다 쓰면 18초 동안 152회입니다. (FACTOR는 도착률이 정수가 되는 값으로: 1, 0.5, 0.1.)
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"waiting_room": {"join_ms": 50}}'
//     커넥션 10개 / 50 ms = 초당 200명. 몰릴 때 다 받지 못합니다. 등록이 줄을 서고, p95가 300 ms를 넘고,
//     가상 사용자 300명이 모두 바빠 시작이 누락됩니다. 도착률이 다시 초당 200명 아래로 내려가면 끝납니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"waiting_room": {"admitted_per_second": 20}}'
//     부하는 같지만 입장이 느려집니다. 대기 순서(queue_position)는 커지고 지연 시간은 그대로입니다.
//   curl -X POST http://127.0.0.1:8080/reset
//     대기열을 비우고 처음 상태로 되돌립니다.

import http from 'k6/http';
import { check } from 'k6';
import { Trend } from 'k6/metrics';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';
const FACTOR = Number(__ENV.FACTOR || 1);
const TIME_FACTOR = Number(__ENV.TIME_FACTOR || 1);

const rate = (perSecond) => Math.round(perSecond * FACTOR);
const stage = (seconds, perSecond) => ({
  duration: `${Math.round(seconds * TIME_FACTOR * 1000)}ms`,
  target: rate(perSecond),
});

export const options = {
  scenarios: {
    burst: {
      executor: 'ramping-arrival-rate',
      startRate: rate(300),
      timeUnit: '1s',
      stages: [
        stage(10, 300),
        stage(10, 150),
        stage(30, 100),
        stage(50, 50),
        stage(50, 30),
        stage(30, 0),
      ],
      preAllocatedVUs: 300,
      maxVUs: 300,
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<300'],
    dropped_iterations: ['rate<1'], // fewer than one a second over the run,
  },
};

const position = new Trend('queue_position');

export default function () {
  const joined = http.post(`${BASE}/waiting-room/join`, null, { tags: { name: 'join' } });
  const hasTicket = check(joined, {
    'join: status is 200': (r) => r.status === 200,
    'join: there is a ticket': (r) => r.status === 200 && r.json('ticket') !== undefined,
  });
  if (!hasTicket) {
    return;
  }

  const ticket = joined.json('ticket');
  const status = http.get(`${BASE}/waiting-room/status?ticket=${ticket}`, { tags: { name: 'status' } });
  const known = check(status, {
    'status: status is 200': (r) => r.status === 200,
    'status: waiting or admitted': (r) =>
      r.status === 200 && ['waiting', 'admitted'].includes(r.json('state')),
  });
  if (known) {
    position.add(status.json('position'));
  }
}
