// A chained pair: POST /deers, then GET what was posted. One pair is one iteration.
//
// What it shows: unique feeding and captured values. Each deerId may be used only once, so
// an iteration takes the id at its own number in the whole test; with a random pick from
// 99,001 ids the chance of at least one repeat is 0.36 at 300 iterations and 0.999 at 1,200.
// A repeat answers 200 with code "duplicate": only the checks see it. The GET asks for the
// id that the POST gave back. Everything passes.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000}}'
//     POST now calls another server for 2 s and holds its connection meanwhile: 10 connections
//     / 2 s = 5 pairs/s at most, 20/s are offered. Requests wait, then answer 503.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000, "call": "outside"}}'
//     the same call before the connection is taken: every pair succeeds, after 2 s each.
//   PICK=random
//     picks ids at random instead: "duplicate" appears and the checks fail. (10 s at 20/s
//     repeat at least one id with a chance of 0.18; with RATE=100 of 0.99.)
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.
//
// [한국어] 이어지는 한 쌍: POST /deers 다음에 방금 등록한 것을 GET으로 읽습니다. 한 쌍이 반복 하나입니다.
//
// 보여 주는 것: 값을 한 번씩만 쓰기와 응답에서 값 추출하기. deerId는 한 번만 쓸 수 있으므로 각 반복은
// 테스트 전체에서 자기 번호에 해당하는 값을 씁니다. 99,001개 가운데 무작위로 고르면 하나라도 겹칠 확률이
// 300번에서 0.36, 1,200번에서 0.999입니다. 겹치면 상태 코드 200에 code "duplicate"가 오고 check만
// 알아챕니다. GET은 POST가 돌려준 값을 묻습니다. 모두 통과합니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000}}'
//     POST가 커넥션을 쥔 채 다른 서버를 2초 동안 호출합니다. 커넥션 10개 / 2초 = 초당 5쌍이 최대인데
//     초당 20쌍을 보냅니다. 요청이 기다리다가 503을 받습니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"deers": {"downstream_ms": 2000, "call": "outside"}}'
//     같은 호출을 커넥션을 얻기 전에 합니다. 모든 쌍이 2초 뒤에 성공합니다.
//   PICK=random
//     대신 값을 무작위로 고릅니다. "duplicate"가 나오고 check가 실패합니다. (초당 20쌍으로 10초면
//     하나라도 겹칠 확률이 0.18, RATE=100이면 0.99입니다.)
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다.

import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { SharedArray } from 'k6/data';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

// One copy for all virtual users. With a file of your own: open('./ids.csv').split('\n').
// 모든 가상 사용자가 한 벌을 함께 씁니다. 직접 만든 파일이면 open('./ids.csv').split('\n').
const deerIds = new SharedArray('deer ids', () => Array.from({ length: 99001 }, (_, i) => i + 1));
const userIds = new SharedArray('user ids', () => Array.from({ length: 1000 }, (_, i) => i + 1));

export const options = {
  scenarios: {
    pairs: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 20),
      timeUnit: '1s',
      duration: __ENV.DURATION || '10s',
      preAllocatedVUs: Number(__ENV.VUS || 150),
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate<0.01'],
    'http_req_duration{name:POST /deers}': ['p(95)<2500'],
    'http_req_duration{name:GET /deers}': ['p(95)<500'],
  },
};

// Ids used by an earlier run are free again.
// 이전 실행이 쓴 값을 다시 쓸 수 있게 합니다.
export function setup() {
  const res = http.del(`${BASE}/deers`);
  if (res.status !== 200) {
    throw new Error(`DELETE ${BASE}/deers answered ${res.status}: is the target running?`);
  }
}

export default function () {
  const n = exec.scenario.iterationInTest;
  const deerId = __ENV.PICK === 'random'
    ? deerIds[Math.floor(Math.random() * deerIds.length)]
    : deerIds[n % deerIds.length];
  const userId = userIds[n % userIds.length];

  const body = JSON.stringify({ userId, deerId, data: `deer ${deerId} of user ${userId}` });
  const posted = http.post(`${BASE}/deers`, body, {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'POST /deers' },
  });
  const stored = check(posted, {
    'POST: status is 200': (r) => r.status === 200,
    'POST: code is success': (r) => r.status === 200 && r.json('code') === 'success',
  });
  if (!stored) {
    return; // Nothing to ask for.
  }

  const id = posted.json('deerId');
  const found = http.get(`${BASE}/deers?userId=${userId}&deerId=${id}`, {
    tags: { name: 'GET /deers' },
  });
  check(found, {
    'GET: status is 200': (r) => r.status === 200,
    'GET: code is success': (r) => r.status === 200 && r.json('code') === 'success',
  });
}
