// A burst of registrations that tapers off, as before a sale: 300 a second for ten
// seconds, then down to nothing within three minutes; 15,200 visitors in all.
//
//   loadline gate                                    # prints a key; make a tenant and a queue with it
//   loadline run examples/gate/register.js -e KEY=wrk_... -e QUEUE=q_...
//
// [한국어] 판매 시작 전처럼 몰렸다가 잦아드는 등록: 10초 동안 초당 300명, 그 뒤 3분 안에 0까지 줄어듭니다.
// 모두 15,200명입니다.
//
//   loadline gate                                    # 키를 출력합니다. 그 키로 테넌트와 대기열을 만드세요
//   loadline run examples/gate/register.js -e KEY=wrk_... -e QUEUE=q_...
import http from 'k6/http';
import { check } from 'k6';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const run = __ENV.RUN || Date.now();

if (!__ENV.QUEUE || !__ENV.KEY) throw new Error('say which queue, and with which key: -e QUEUE=q_... -e KEY=wrk_...');

export const options = {
  scenarios: {
    registrations: {
      executor: 'ramping-arrival-rate',
      startRate: 300,
      timeUnit: '1s',
      preAllocatedVUs: 300,
      stages: [
        { duration: '10s', target: 300 },
        { duration: '10s', target: 150 },
        { duration: '30s', target: 100 },
        { duration: '50s', target: 50 },
        { duration: '50s', target: 30 },
        { duration: '30s', target: 0 },
      ],
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<300'],
    checks: ['rate==1'],
    dropped_iterations: ['count==0'],
  },
};

export default function () {
  const answer = http.post(
    `${gate}/v1/queues/${__ENV.QUEUE}/waiters`,
    JSON.stringify({ user_id: `${run}-${__VU}-${__ITER}` }),
    { headers: { Authorization: `Bearer ${__ENV.KEY}`, 'Content-Type': 'application/json' } },
  );
  check(answer, {
    'has a ticket': (a) => a.status === 201 && a.json('seq') > 0,
    'knows the place': (a) => ['waiting', 'ready'].includes(a.json('state')),
  });
}
