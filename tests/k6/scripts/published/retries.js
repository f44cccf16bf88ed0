// Try again, with a longer wait each time.
import http from 'k6/http';
import { sleep, check } from 'k6';
import { Counter } from 'k6/metrics';

const retried = new Counter('retries');

function withRetry(send, times = 3) {
  for (let i = 0; ; i++) {
    const res = send();
    if (res.status < 500 || i === times) {
      return res;
    }
    retried.add(1);
    sleep(0.02 * 2 ** i);
  }
}

export default function () {
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 503));
  const res = withRetry(() => http.get(`${__ENV.BASE}/status/503`, { tags: { name: 'flaky' } }));
  check(res, { 'gave up in the end': (r) => r.status === 503 });
}
