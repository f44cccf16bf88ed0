// Visitors register, wait for their turn and come in, while a hundred a second are let in
// by hand. Says how many turns were lost, and whether anybody was passed by somebody who
// came later. The queue must be in mode hold, so that only the calls below let people in.
//
//   loadline run examples/gate/admission.js -e KEY=wrk_... -e QUEUE=q_...
//
// [한국어] 방문자가 등록하고, 차례를 기다려 입장합니다. 입장은 초당 100명씩 직접 시킵니다. 잃어버린 차례가 몇 개인지,
// 나중에 온 사람이 먼저 들어간 일이 있는지 알려 줍니다. 아래의 호출만 사람을 들여보내도록 대기열은
// hold 모드여야 합니다.
//
//   loadline run examples/gate/admission.js -e KEY=wrk_... -e QUEUE=q_...
import http from 'k6/http';
import { sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const queue = __ENV.QUEUE;
if (!queue || !__ENV.KEY) throw new Error('say which queue, and with which key: -e QUEUE=q_... -e KEY=wrk_...');
const run = __ENV.RUN || Date.now();
const withKey = { headers: { Authorization: `Bearer ${__ENV.KEY}`, 'Content-Type': 'application/json' } };

const admitted = new Counter('admitted');
const cameIn = new Counter('came_in');
const lost = new Counter('lost_admissions');
const inversions = new Counter('inversions');
const waited = new Trend('waited', true);

export const options = {
  scenarios: {
    visitors: {
      executor: 'ramping-arrival-rate',
      startRate: 150,
      timeUnit: '1s',
      preAllocatedVUs: 4000,
      stages: [
        { duration: '20s', target: 150 },
        { duration: '10s', target: 50 },
        { duration: '10s', target: 0 },
      ],
      gracefulStop: '60s',
      exec: 'visitor',
    },
    operator: {
      executor: 'constant-arrival-rate',
      rate: 1,
      timeUnit: '1s',
      duration: '70s',
      preAllocatedVUs: 2,
      exec: 'operator',
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<300'],
    lost_admissions: ['count==0'],
    inversions: ['count==0'],
    dropped_iterations: ['count==0'],
  },
};

export function setup() {
  // So that the thresholds below are judged also when nothing goes wrong.
  // 문제가 없어도 아래의 임계값을 판정하도록 합니다.
  lost.add(0);
  inversions.add(0);
}

export function visitor() {
  const begin = Date.now();
  const user = JSON.stringify({ user_id: `${run}-${__VU}-${__ITER}` });
  const joined = http.post(`${gate}/v1/queues/${queue}/waiters`, user, withKey);
  const ticket = { headers: { Authorization: `Bearer ${joined.json('waiting_token')}` } };
  for (;;) {
    // First how far the queue is, then oneself: whoever still waits behind it was passed.
    // 먼저 대기열이 어디까지 왔는지, 다음에 자기 차례를 봅니다. 이미 지난 번호인데 아직 기다리면 추월당한 것입니다.
    const cursor = http.get(`${gate}/q/${queue}/status`).json('cursor');
    const me = http.get(`${gate}/q/${queue}/me`, ticket).json();
    if (me.state === 'ready') break;
    if (me.state !== 'waiting') {
      lost.add(1);
      return;
    }
    if (me.seq <= cursor) inversions.add(1);
    sleep(me.poll_after_ms / 1000);
  }
  const claim = http.post(`${gate}/q/${queue}/claim`, null, ticket);
  if (claim.status === 200) cameIn.add(1);
  else lost.add(1);
  waited.add(Date.now() - begin);
}

export function operator() {
  const once = { headers: { ...withKey.headers, 'Idempotency-Key': `${run}-${__VU}-${__ITER}` } };
  const answer = http.post(`${gate}/v1/queues/${queue}/admit`, JSON.stringify({ count: 100 }), once);
  admitted.add(answer.json('admitted'));
}
