// @exit 99
// @limit 20s
// @tolerance all 100%
// A threshold that aborts after a while, beside one that holds; teardown still runs.
import { Rate } from 'k6/metrics';
import { sleep } from 'k6';
const failed = new Rate('my_failed');
export const options = {
  scenarios: { a: { executor: 'constant-vus', vus: 2, duration: '30s', gracefulStop: '1s' } },
  thresholds: { my_failed: [{ threshold: 'rate<0.5', abortOnFail: true, delayAbortEval: '100ms' }, 'rate<0.9'], iterations: ['count>0'] },
};
export default function () { failed.add(__ITER % 4 !== 0); sleep(0.05); }
export function teardown() { console.log('torn down'); }
export function handleSummary(d) { console.log(JSON.stringify(d.metrics.my_failed.thresholds), JSON.stringify(d.metrics.iterations.thresholds)); return {}; }
