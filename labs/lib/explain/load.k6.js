// The load of one truth: LOAD names the requests, USERS or RATE how many, HOLD how long; with RAMP users come one after the
// other. FIRST is the first number used up by requests that may be sent once only.
import http from 'k6/http';
import exec from 'k6/execution';
import { check, sleep } from 'k6';

const target = __ENV.TARGET;
const first = Number(__ENV.FIRST || 1);
const users = Number(__ENV.USERS || 8);
const hold = __ENV.HOLD || '30s';
const timeout = __ENV.TIMEOUT || '60s';

function scenario() {
  if (__ENV.RATE) {
    const rate = Number(__ENV.RATE);
    return { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration: hold, preAllocatedVUs: users, maxVUs: users };
  }
  if (__ENV.RAMP) {
    return { executor: 'ramping-vus', startVUs: 3, stages: [{ target: users, duration: hold }] };
  }
  return { executor: 'constant-vus', vus: users, duration: hold };
}

export const options = { scenarios: { load: { ...scenario(), gracefulStop: '10s' } } };

const isSuccess = { 'code is success': (r) => r.status === 200 && r.json('code') === 'success' };
const number = () => first + exec.scenario.iterationInTest;
const get = (path, name) => http.get(target + path, { timeout, tags: { name: name || path } });
const post = (path, body, name) =>
  http.post(target + path, body, { timeout, headers: { 'Content-Type': 'application/json' }, tags: { name: name || path } });

const loads = {
  register() {
    const deerId = number();
    check(post('/deers', JSON.stringify({ userId: 1 + (deerId % 3000), deerId, data: 'explained' })), isSuccess);
  },
  like: () => post('/contents/1/likes', ''),
  'first-page': () => check(get('/apps/first-page'), isSuccess),
  submissions: () => get('/submissions'),
  'many-submissions': () => get('/submissions?size=100'),
  content: () => check(get('/contents/1'), isSuccess),
  places: () => get('/contents/1/places'),
  quote: () => get('/quote'),
  draw: () => get('/draw'),
  noop: () => get('/noop'),
  'noop-and-think'() {
    get('/noop');
    sleep(0.2);
  },
  payload: () => get('/payload'),
  join: () => post(`/queues/queue-1/members?user=u${number()}`, '', 'join'),
  'join-then-rank'() {
    const user = `u${number()}`;
    post(`/queues/queue-1/members?user=${user}`, '', 'join');
    get(`/queues/queue-1/rank?user=${user}`, 'rank');
  },
  'read-and-think'() {
    get('/contents/1/places');
    get('/contents/1');
    sleep(2 + Math.random());
  },
  // Reads spread over rows.
  mix() {
    const row = 1 + ((number() * 7) % 3000);
    get(`/contents/${row}`, '/contents/{id}');
    get(`/contents/${row}/places`, '/contents/{id}/places');
    get(`/submissions?page=${number() % 50}`, '/submissions?page=');
  },
  // A script that computes 20 to 70 ms for each request.
  compute() {
    let value = 1;
    for (let round = 0; round < 150000; round++) value = (value * 1103515245 + 12345) % 2147483648;
    http.get(`${target}/noop`, { headers: { 'x-value': `${value}` } });
  },
};

export default loads[__ENV.LOAD];
