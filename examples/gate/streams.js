// Visitors register and wait on an open stream until it says that it is their turn, while a
// second scenario lets so many in each second. Shows how long people waited, how long the news
// took to arrive, and that nobody was lost or passed over. The queue must be in mode hold, so that only the
// calls below let people in.
//
//   loadline gate                                    # prints a key; make a tenant and a queue with it
//   loadline run examples/gate/streams.js -e KEY=wrk_... -e QUEUE=q_... -e VISITORS=5000
//
// Each visitor keeps a file open while waiting: `ulimit -n` must allow VISITORS and some more.
import http from 'k6/http';
import sse from 'k6/x/sse';
import { Counter, Trend } from 'k6/metrics';
import { textSummary } from 'https://jslib.k6.io/k6-summary/0.1.0/index.js';

const gate = __ENV.GATE || 'http://127.0.0.1:8090';
const queue = __ENV.QUEUE;
const run = __ENV.RUN || Date.now();
const visitors = Number(__ENV.VISITORS || 500);
const arrive = Number(__ENV.ARRIVE || 10); // seconds in which all visitors come
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
      preAllocatedVUs: Math.ceil(visitors * 1.05), // some to spare: a start without a free user is lost
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
  lost.add(0); // judged also when nothing goes wrong
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
  for (let tries = 0; turn === null && tries < 5; tries++) {
    // First how far the queue is, then oneself: whoever still waits behind it was passed over.
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
