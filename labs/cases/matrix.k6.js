// Three APIs of the labs, each alone, and the user's flow through them: for `loadline matrix`.
import http from 'k6/http';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:27081';

const planned = (exec, rate) => ({
  executor: 'constant-arrival-rate', exec, rate, timeUnit: '1s', duration: '1m', preAllocatedVUs: 20, maxVUs: 500,
});

export const options = {
  scenarios: {
    firstPage: planned('firstPage', 4),
    category: planned('category', 6),
    content: planned('content', 20),
    visit: planned('visit', 2),
  },
};

function get(path) {
  const answer = http.get(target + path, { tags: { name: path } });
  check(answer, { 'status is 200': (r) => r.status === 200 });
}

export function firstPage() { get('/apps/first-page'); }
export function category() { get('/apps/first-page/FARM'); }
export function content() { get('/contents/1'); get('/contents/1/places'); }
export function visit() { firstPage(); category(); content(); }
