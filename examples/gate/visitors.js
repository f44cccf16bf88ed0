// Visitors who come five times as fast as the service can carry: each joins, waits on a stream
// until it is his turn, comes in, does what session.js does, and leaves. Whoever has waited for
// PATIENCE seconds gives up. With DIRECT=1 the same visitors go to the service without waiting.
//
//   loadline run examples/gate/visitors.js -e RATE=95 -e KEY=wrk_... -e QUEUE=q_...
//
// Prints in how many windows of five seconds the service's p95 kept SLO_MS.
//
// [한국어] 서비스가 감당할 수 있는 것보다 다섯 배 빠르게 오는 방문자: 각자 줄을 서고, 스트림에서 차례를 기다려 입장하고,
// session.js가 하는 일을 한 뒤 나갑니다. PATIENCE초를 기다린 사람은 포기합니다. DIRECT=1이면 같은 방문자가
// 기다리지 않고 서비스로 바로 갑니다.
//
//   loadline run examples/gate/visitors.js -e RATE=95 -e KEY=wrk_... -e QUEUE=q_...
//
// 서비스의 p95가 SLO_MS를 지킨 5초 구간이 몇 개인지 출력합니다.
import http from 'k6/http';
import sse from 'k6/x/sse';
import { Counter } from 'k6/metrics';
import { textSummary } from 'https://jslib.k6.io/k6-summary/0.1.0/index.js';
import { session } from './session.js';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const queue = __ENV.QUEUE;
const direct = __ENV.DIRECT === '1';
if (!direct && (!queue || !__ENV.KEY)) throw new Error('say which queue, and with which key: -e QUEUE=q_... -e KEY=wrk_...');
const rate = Number(__ENV.RATE || 50);
const seconds = Number(__ENV.SECONDS || 60);
const patience = Number(__ENV.PATIENCE || 20);
const slo = Number(__ENV.SLO_MS || 80);
const run = __ENV.RUN || Date.now();
const withKey = { 'Authorization': `Bearer ${__ENV.KEY}`, 'Content-Type': 'application/json' };

const sessions = new Counter('sessions');
const gaveUp = new Counter('gave_up');
const lost = new Counter('lost');
const inversions = new Counter('inversions');

// One sub-metric for each window, so that its p95 is in the summary.
// 요약에 p95가 나오도록 구간마다 하위 지표를 하나씩 둡니다.
const windows = Array.from({ length: (seconds + patience + 40) / 5 }, (_, at) => `http_req_duration{part:service,window:${at}}`);

export const options = {
  scenarios: {
    visitors: {
      executor: 'constant-arrival-rate',
      rate,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: Math.ceil(rate * (direct ? 12 : patience + 35)),
      gracefulStop: `${patience + 35}s`,
    },
  },
  thresholds: {
    ...Object.fromEntries(windows.map((name) => [name, ['p(95)>=0']])),
    dropped_iterations: ['count==0'],
    ...(direct ? {} : { lost: ['count==0'], inversions: ['count==0'], 'http_req_failed{part:service}': ['rate<0.01'] }),
  },
};

export function setup() {
  lost.add(0); // judged also when nothing goes wrong / 문제가 없어도 판정합니다
  inversions.add(0);
  return Date.now();
}

function visit(started) {
  session(() => ({ tags: { name: 'content', part: 'service', window: `${Math.floor((Date.now() - started) / 5000)}` } }));
  sessions.add(1);
}

export default function (started) {
  if (direct) {
    visit(started);
    return;
  }
  const user = `${run}-${__VU}-${__ITER}`;
  const call = (path, body, headers) =>
    http.post(`${gate}${path}`, body && JSON.stringify(body), { headers, tags: { part: 'gate' } });
  const joined = call(`/v1/queues/${queue}/waiters`, { user_id: user }, withKey);
  if (joined.status !== 201) {
    lost.add(1);
    return;
  }
  const ticket = { Authorization: `Bearer ${joined.json('waiting_token')}` };
  const since = Date.now();
  let turn = false;
  let tired = false;
  while (!turn && !tired) {
    // Whoever still waits behind the number that was passed last was passed over.
    // 마지막으로 지난 번호보다 앞인데 아직 기다리면 추월당한 것입니다.
    const passed = http.get(`${gate}/q/${queue}/status`, { tags: { part: 'gate' } }).json('cursor');
    sse.open(`${gate}/q/${queue}/events`, { headers: ticket, tags: { part: 'stream' } }, (client) => {
      client.on('event', (event) => {
        const state = event.data ? JSON.parse(event.data) : {};
        if (state.state === 'waiting' && state.seq <= passed) inversions.add(1);
        turn = event.name === 'ready';
        tired = Date.now() - since > patience * 1000;
        if (turn || tired) client.close();
      });
    });
  }
  if (!turn) {
    call(`/q/${queue}/leave`, { forever: true }, ticket);
    gaveUp.add(1);
    return;
  }
  const claim = call(`/q/${queue}/claim`, null, ticket);
  // The service does this with the code it finds in the address.
  // 서비스가 주소에 든 코드로 하는 일입니다.
  const shown = call('/v1/token/exchange', { queue, code: claim.json('code') }, withKey);
  if (claim.status !== 200 || shown.status !== 200) {
    lost.add(1);
    return;
  }
  visit(started);
  call(`/v1/queues/${queue}/sessions/complete`, { user_ids: [user] }, withKey);
}

export function handleSummary(data) {
  const p95 = windows.map((name) => data.metrics[name]).filter((one) => one && one.values.count !== 0 && one.values['p(95)'] > 0)
    .map((one) => one.values['p(95)']);
  const kept = p95.filter((ms) => ms < slo).length;
  const count = (name) => (data.metrics[name] ? data.metrics[name].values.count : 0);
  const lines = [
    `sessions ${count('sessions')}, gave up ${count('gave_up')}, lost ${count('lost')}, inversions ${count('inversions')}`,
    `windows with p95 < ${slo} ms: ${kept} of ${p95.length} (${((100 * kept) / p95.length).toFixed(1)} %)`,
  ];
  for (const name of windows) delete data.metrics[name];
  return { stdout: `${textSummary(data, { indent: ' ', enableColors: false })}\n${lines.join('\n')}\n` };
}
