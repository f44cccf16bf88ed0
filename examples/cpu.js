// Work that needs a core: GET /cpu computes for 10 ms on one of a bounded set of threads.
//
// What it shows: saturation. Highest rate = threads / work = 1 / 0.01 s = 100/s. Up to 5 s
// this script offers 20/s and latency stays near 10 ms; then it offers 130/s. The target
// cannot do more than 100/s, so 30 requests more wait each second and latency climbs, by
// 0.3 s or more with each second. The threshold on the first part passes, on the second it fails.
//
// What to change to see the verdict change:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"work_ms": 2}}'
//     a fifth of the work: 1 / 0.002 s = 500/s, everything passes.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"threads": 2}}'
//     200/s, if the machine has two cores to spare for it: passes. On a machine with two
//     cores the generator needs its share of them too.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"waiting_max": 10}}'
//     at most 10 requests wait, later ones answer 503 at once: the wait stays short, requests fail.
//   curl -X POST http://127.0.0.1:8080/reset
//     back to the start.
//
// [한국어] 코어가 필요한 일: GET /cpu는 개수가 정해진 스레드 가운데 하나에서 10 ms 동안 계산합니다.
//
// 보여 주는 것: 포화. 최대 처리율 = 스레드 / 계산 시간 = 1 / 0.01초 = 초당 100건. 5초까지는 초당 20건을
// 보내고 지연 시간은 10 ms 근처입니다. 그 뒤에는 초당 130건을 보냅니다. 대상 서버는 초당 100건까지만
// 처리하므로 매초 30건씩 더 기다리고, 지연 시간은 1초에 0.3초 이상씩 늘어납니다. 앞 구간의 임계값은
// 충족되고 뒤 구간의 임계값은 충족되지 않습니다.
//
// 판정을 바꾸려면:
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"work_ms": 2}}'
//     계산이 5분의 1로 줄어 1 / 0.002초 = 초당 500건. 모두 통과합니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"threads": 2}}'
//     장비에 남는 코어가 2개 있으면 초당 200건이라 통과합니다. 코어가 2개뿐인 장비에서는 부하
//     발생기도 코어를 나눠 씁니다.
//   curl -X PUT http://127.0.0.1:8080/settings -d '{"cpu": {"waiting_max": 10}}'
//     10건까지만 기다리고 그 뒤의 요청은 바로 503을 받습니다. 대기는 짧지만 실패가 생깁니다.
//   curl -X POST http://127.0.0.1:8080/reset
//     처음 상태로 되돌립니다.

import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    below: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.BELOW || 20),
      timeUnit: '1s',
      duration: '5s',
      preAllocatedVUs: 20,
    },
    above: {
      executor: 'constant-arrival-rate',
      startTime: '5s',
      rate: Number(__ENV.ABOVE || 130),
      timeUnit: '1s',
      duration: '8s',
      preAllocatedVUs: 400,
    },
  },
  thresholds: {
    'http_req_duration{scenario:below}': ['p(95)<500'],
    'http_req_duration{scenario:above}': ['p(95)<500'],
    http_req_failed: ['rate<0.01'],
    dropped_iterations: ['count<1'],
  },
};

export default function () {
  const res = http.get(`${BASE}/cpu`);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
