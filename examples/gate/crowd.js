// A crowd that comes at once: each joins, asks how long it will take, waits for the turn, comes in,
// does what session.js does, and leaves.
//
//   loadline run examples/gate/crowd.js -e CROWD=200 -e KEY=wrk_... -e QUEUE=q_...
//
// Prints how many came in, and the wait each was told when joining beside the wait it had.
//
// [한국어] 한꺼번에 온 사람들: 각자 줄을 서고, 얼마나 걸리는지 묻고, 차례를 기다려 입장하고, session.js가 하는 일을
// 한 뒤 나갑니다.
//
//   loadline run examples/gate/crowd.js -e CROWD=200 -e KEY=wrk_... -e QUEUE=q_...
//
// 입장한 사람 수와, 줄을 설 때 들은 대기 시간과 실제 대기 시간을 나란히 출력합니다.
import http from 'k6/http';
import { sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { session } from './session.js';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const queue = __ENV.QUEUE;
if (!queue || !__ENV.KEY) throw new Error('say which queue, and with which key: -e QUEUE=q_... -e KEY=wrk_...');
const crowd = Number(__ENV.CROWD || 200);
const longest = Number(__ENV.LONGEST || 120);
const run = __ENV.RUN || Date.now();
const withKey = { 'Authorization': `Bearer ${__ENV.KEY}`, 'Content-Type': 'application/json' };

const came = new Counter('came_in');
const untold = new Counter('told_nothing');
const told = new Trend('told_s');
const waited = new Trend('waited_s');
const off = new Trend('waited_less_told_s');
const later = new Counter('later_than_told_p90');

export const options = {
  scenarios: {
    crowd: { executor: 'per-vu-iterations', vus: crowd, iterations: 1, maxDuration: `${longest + 30}s` },
  },
  thresholds: { came_in: [`count==${crowd}`], http_req_failed: ['rate<0.01'] },
};

export default function () {
  const user = `${run}-${__VU}`;
  const call = (path, body, headers) => http.post(`${gate}${path}`, body && JSON.stringify(body), { headers });
  const joined = call(`/v1/queues/${queue}/waiters`, { user_id: user }, withKey);
  const since = Date.now();
  const ticket = { Authorization: `Bearer ${joined.json('waiting_token')}` };
  // The rest of the crowd joins in the same moment: the first look after that is what a person reads.
  // 나머지 사람도 같은 순간에 줄을 섭니다. 그 뒤의 첫 확인이 사람이 읽는 값입니다.
  sleep(1);
  let state = http.get(`${gate}/q/${queue}/me`, { headers: ticket }).json();
  const eta = state.eta;
  while (state.state === 'waiting' && Date.now() - since < longest * 1000) {
    // As often as the gate asks for: who polls much sooner is answered 429.
    // 게이트가 알려 준 간격으로 묻습니다. 훨씬 자주 물으면 429를 받습니다.
    sleep((state.poll_after_ms || 1000) / 1000);
    const looked = http.get(`${gate}/q/${queue}/me`, { headers: ticket });
    if (looked.status === 200) state = looked.json();
  }
  if (state.state !== 'ready') return;
  const took = (Date.now() - since) / 1000;
  waited.add(took);
  if (eta) {
    told.add(eta.p50_s + 1);
    off.add(took - eta.p50_s - 1);
    if (took > eta.p90_s + 1) later.add(1);
  } else if (took > 2) {
    untold.add(1);
  }
  const claim = call(`/q/${queue}/claim`, null, ticket);
  call('/v1/token/exchange', { queue, code: claim.json('code') }, withKey);
  came.add(1);
  session(() => ({ tags: { part: 'service' } }));
  call(`/v1/queues/${queue}/sessions/complete`, { user_ids: [user] }, withKey);
}

export function handleSummary(data) {
  const count = (name) => (data.metrics[name] ? data.metrics[name].values.count : 0);
  const of = (name, stat) => (data.metrics[name] ? data.metrics[name].values[stat].toFixed(1) : '-');
  const spread = (name) => `median ${of(name, 'med')} s, longest ${of(name, 'max')} s`;
  const lines = [
    `came in: ${count('came_in')} of ${crowd}`,
    `told when joining: ${spread('told_s')}; waited: ${spread('waited_s')}`,
    `waited less told: ${of('waited_less_told_s', 'min')} to ${of('waited_less_told_s', 'max')} s, median ${of('waited_less_told_s', 'med')} s`,
    `later than the told 90th percentile: ${count('later_than_told_p90')}; waited and told nothing: ${count('told_nothing')}`,
  ];
  return { stdout: `${lines.join('\n')}\n` };
}
