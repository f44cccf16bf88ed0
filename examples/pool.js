// A connection pool that runs dry: GET /pooled holds one of 10 connections while it makes
// a slow call (500 ms) to another server.
//
// What it shows: the pool law. Highest rate = permits / hold time. With the call inside,
// a connection is held 10 ms (query) + 500 ms (call): 10 / 0.51 s = 19.6/s. This script
// offers 30/s and does not slow down when the target does (an open model), so 10 requests
// more wait each second. After about 6 s they wait 3 s, the pool's acquire time-out, and
// from then on every third answer is 503. Errors and p95 miss their thresholds.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pooled": {"call": "outside"}}'
//     the call is made before a connection is taken: hold time 10 ms, 10 / 0.01 s = 1,000/s.
//     Everything passes, with the pool as it was.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pool": {"max": 20}}'
//     20 / 0.51 s = 39/s: passes too, until the rate grows (RATE=50).
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start. Let the last run's requests drain (3 s) before the next one.
// Watch the pool meanwhile: curl -s http://127.0.0.1:8080/metrics | grep pool
//
// [한국어] 바닥나는 커넥션 풀: GET /pooled는 커넥션 10개 가운데 하나를 쥔 채 다른 서버를 느리게(500 ms) 호출합니다.
//
// 보여 주는 것: 풀의 법칙. 최대 처리율 = 커넥션 수 / 보유 시간. 호출이 안에 있으면 커넥션을
// 10 ms(쿼리) + 500 ms(호출) 동안 쥐므로 10 / 0.51초 = 초당 19.6건입니다. 이 스크립트는 초당 30건을
// 보내고 대상 서버가 느려져도 줄이지 않으므로(열린 모델) 매초 10건씩 더 기다립니다. 6초쯤 뒤에는 대기가
// 3초(풀의 대기 제한 시간)가 되어 그때부터 응답 셋 중 하나가 503입니다. 오류율과 p95가 임계값을 넘습니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pooled": {"call": "outside"}}'
//     커넥션을 얻기 전에 호출합니다. 보유 시간 10 ms, 10 / 0.01초 = 초당 1,000건.
//     풀은 그대로 두고도 모두 통과합니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"pool": {"max": 20}}'
//     20 / 0.51초 = 초당 39건. 이것도 통과하지만 부하가 늘면(RATE=50) 다시 모자랍니다.
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다. 다음 실행 전에 남은 요청이 끝나도록 3초 기다리세요.
// 실행 중의 풀 상태: curl -s http://127.0.0.1:8080/metrics | grep pool

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    pool: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 30),
      timeUnit: '1s',
      duration: __ENV.DURATION || '20s',
      // Enough that none is missing: rate x the longest response (3 s + 0.51 s), and some more.
      // 모자라지 않을 만큼: 도착률 x 가장 긴 응답 시간(3초 + 0.51초)보다 조금 더.
      preAllocatedVUs: Number(__ENV.VUS || 150),
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<1000'],
    dropped_iterations: ['count<1'],
  },
};

export default function () {
  const res = http.get(`${BASE}/pooled`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'a connection was free in time': (r) => r.status !== 503,
  });
}
