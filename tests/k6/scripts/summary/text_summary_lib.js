// @compare stdout ^ +(█|✓|✗|↳|checks\.|http_reqs|iterations\.)
// textSummary of the k6-summary library.
import http from 'k6/http';
import { check, group } from 'k6';
import { textSummary } from 'https://jslib.k6.io/k6-summary/0.1.0/index.js';

export const options = { iterations: 2, thresholds: { http_req_failed: ['rate<0.01'] } };

export default function () {
  group('front page', () => check(http.get(`${__ENV.BASE}/get`), { 'is up': (r) => r.status === 200, 'never': () => false }));
}

export function handleSummary(data) {
  const text = textSummary(data, { indent: ' ', enableColors: false });
  const counted = text.split('\n').filter((line) => /checks|✓|✗|↳|█|http_reqs|iterations/.test(line));
  // Rates depend on the time the run took.
  return { stdout: counted.map((line) => line.replace(/[0-9.]+\/s/, 'RATE').replace(/ +/g, ' ')).join('\n') + '\n' };
}
