// The fastest answer there is: GET /fast, a small JSON body with no work behind it.
//
// What it shows: a closed loop. 10 virtual users (VUs) each send their next request when
// the last one is answered, so throughput = VUs / latency. Nothing limits the target but
// its CPU, and everything passes.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"latency_ms": 200}}'
//     p95 goes over 100 ms and throughput falls to about 10 / 0.2 s = 50/s.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_percent": 5}}'
//     5 % of the requests answer 500: http_req_failed and checks go over their thresholds.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_in_200_percent": 5}}'
//     5 % carry an error inside a 200: only the checks see it.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"break_body": {"after": 1000}}}'
//     after 1,000 answers the body is {}: status 200, and only the checks see it.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.
//
// [한국어] 가장 빠른 응답: GET /fast는 아무 일 없이 작은 JSON을 보냅니다.
//
// 보여 주는 것: 닫힌 모델. 가상 사용자 10명이 응답을 받은 뒤에 다음 요청을 보내므로
// 처리량 = 사용자 수 / 지연 시간입니다. 대상 서버의 한계는 CPU뿐이고 모두 통과합니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"latency_ms": 200}}'
//     p95가 100 ms를 넘고 처리량은 10 / 0.2초 = 초당 50건 정도로 줄어듭니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_percent": 5}}'
//     요청의 5 %가 500을 받습니다. http_req_failed와 checks가 임계값을 넘습니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"error_in_200_percent": 5}}'
//     5 %는 상태 코드 200 안에 오류가 들어 있습니다. check만 알아챕니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"faults": {"break_body": {"after": 1000}}}'
//     응답 1,000건 뒤부터 본문이 {}입니다. 상태 코드는 200이고 check만 알아챕니다.
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다.

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    fast: {
      executor: 'constant-vus',
      vus: Number(__ENV.VUS || 10),
      duration: __ENV.DURATION || '10s',
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<100'],
    checks: ['rate>0.99'],
  },
};

export default function () {
  const res = http.get(`${BASE}/fast`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'code is success': (r) => code(r) === 'success',
  });
}

// A body that is missing or no JSON is a failed check, not an exception.
// 본문이 없거나 JSON이 아니면 예외가 아니라 check 실패입니다.
function code(res) {
  try {
    return res.json('code');
  } catch (e) {
    return undefined;
  }
}
