// Visitors register and wait on an open stream until it says that it is their turn, while a
// second scenario lets so many in each second. Shows how long people waited, how long the news
// took to arrive, and that nobody was lost or passed over. The queue must be in mode hold, so that only the
// calls below let people in.
//
//   loadline gate                                    # prints a key; make a tenant and a queue with it
//   loadline run examples/gate/streams.js -e KEY=wrk_... -e QUEUE=q_... -e VISITORS=5000
//
// Each visitor keeps a file open while waiting: `ulimit -n` must allow VISITORS and some more.
//
// [한국어] 방문자가 등록한 뒤 열린 스트림에서 차례가 왔다는 알림을 기다리고, 두 번째 시나리오가 매초 정해진 수를
// 들여보냅니다. 얼마나 기다렸는지, 알림이 도착하는 데 얼마나 걸렸는지, 차례를 잃거나 순서가 뒤바뀐 사람이
// 없는지 보여 줍니다. 아래의 호출만 사람을 들여보내도록 대기열은 hold 모드여야 합니다.
//
//   loadline gate                                    # 키를 출력합니다. 그 키로 테넌트와 대기열을 만드세요
//   loadline run examples/gate/streams.js -e KEY=wrk_... -e QUEUE=q_... -e VISITORS=5000
//
// 기다리는 방문자마다 파일을 하나씩 엽니다. `ulimit -n`이 VISITORS보다 조금 더 커야 합니다.
import http from 'k6/http';
import sse from 'k6/x/sse';
import { Counter, Trend } from 'k6/metrics';
import { textSummary } from 'https://jslib.k6.io/k6-summary/0.1.0/index.js';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const queue = __ENV.QUEUE;
if (!queue || !__ENV.KEY) throw new Error('say which queue, and with which key: -e QUEUE=q_... -e KEY=wrk_...');
const run = __ENV.RUN || Date.now();
const visitors = Number(__ENV.VISITORS || 500);
const arrive = Number(__ENV.ARRIVE || 10); // seconds in which all visitors come / 모든 방문자가 오는 데 걸리는 초
const admitEachSecond = Number(__ENV.ADMIT || Math.ceil(visitors / 20));
const withKey = { headers: { Authorization: `Bearer ${__ENV.KEY}`, 'Content-Type': 'application/json' } };

const registered = new Counter('registered');
const admitted = new Counter('admitted');
const lost = new Counter('lost');
const inversions = new Counter('inversions');
const waited = new Trend('waited', true);
const newsTook = new Trend('news_took', true);

export const options = {
  scenarios: {
    visitors: {
      executor: 'constant-arrival-rate',
      rate: visitors,
      timeUnit: `${arrive}s`,
      duration: `${arrive}s`,
      preAllocatedVUs: Math.ceil(visitors * 1.05), // some to spare / 여유분: 빈 사용자가 없으면 시작이 누락됩니다
      gracefulStop: '5m',
      exec: 'visitor',
    },
    operator: {
      executor: 'constant-arrival-rate',
      rate: 1,
      timeUnit: '1s',
      startTime: __ENV.ADMIT_AFTER || '10s',
      duration: `${Math.ceil(visitors / admitEachSecond) + 5}s`,
      preAllocatedVUs: 10,
      exec: 'operator',
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    'http_req_duration{kind:call}': ['p(95)<1000'],
    lost: ['count==0'],
    inversions: ['count==0'],
    dropped_iterations: ['count==0'],
    registered: [`count>=${visitors}`],
    admitted: [`count>=${visitors}`],
  },
};

export function setup() {
  lost.add(0); // judged also when nothing goes wrong / 문제가 없어도 판정합니다
  inversions.add(0);
}

export function visitor() {
  const user = JSON.stringify({ user_id: `${run}-${__VU}-${__ITER}` });
  const joined = http.post(`${gate}/v1/queues/${queue}/waiters`, user, { ...withKey, tags: { kind: 'call' } });
  if (joined.status !== 200 && joined.status !== 201) {
    lost.add(1);
    return;
  }
  registered.add(1);
  const begin = Date.now();
  let turn = null;
  const ticket = { headers: { Authorization: `Bearer ${joined.json('waiting_token')}` }, tags: { kind: 'stream' } };
  // A gate that restarts ends its streams; whoever waits asks again.
  // 게이트가 재시작하면 스트림이 끝나고, 기다리는 사람은 다시 묻습니다.
  for (let tries = 0; turn === null && tries < 5; tries++) {
    // First how far the queue is, then oneself: whoever still waits behind it was passed over.
    // 먼저 대기열이 어디까지 왔는지, 다음에 자기 차례를 봅니다. 이미 지난 번호인데 아직 기다리면 추월당한 것입니다.
    const passed = http.get(`${gate}/q/${queue}/status`, { tags: { kind: 'call' } }).json('cursor');
    sse.open(`${gate}/q/${queue}/events`, ticket, (client) => {
      client.on('event', (event) => {
        const state = event.data ? JSON.parse(event.data) : {};
        if (state.state === 'waiting' && state.seq <= passed) inversions.add(1);
        if (event.name !== 'ready') return;
        turn = state;
        client.close();
      });
    });
  }
  if (turn === null) {
    lost.add(1);
    return;
  }
  waited.add(Date.now() - begin);
  newsTook.add(Math.max(0, Date.now() - turn.taken_ms));
}

export function operator() {
  const once = { headers: { ...withKey.headers, 'Idempotency-Key': `${run}-${__VU}-${__ITER}` }, tags: { kind: 'call' } };
  const answer = http.post(`${gate}/v1/queues/${queue}/admit`, JSON.stringify({ count: admitEachSecond }), once);
  admitted.add(answer.json('admitted'));
}

export function handleSummary(data) {
  const count = (name) => (data.metrics[name] ? data.metrics[name].values.count : 0);
  const line = `registered ${count('registered')}, admitted ${count('admitted')}, inversions ${count('inversions')}, lost ${count('lost')}\n`;
  return { stdout: `${textSummary(data, { indent: ' ', enableColors: false })}\n${line}` };
}
