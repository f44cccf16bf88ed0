// exec.vu.tags last over iterations and reach all samples.
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const c = new Counter('my_count');
export const options = {
  iterations: 2,
  thresholds: { 'http_reqs{step:one}': ['count==1'], 'my_count{step:one}': ['count==2'], 'http_reqs{extra:7}': ['count==1'] },
};

export default function () {
  c.add(1);
  exec.vu.tags.step = 'one';
  if (__ITER === 0) {
    http.get(`${__ENV.BASE}/get`);
    c.add(1);
    exec.vu.tags['extra'] = 7;
    delete exec.vu.tags.step;
    http.get(`${__ENV.BASE}/get`);
    exec.vu.tags.step = 'one';
    delete exec.vu.tags.extra;
  }
  console.log(exec.vu.tags.step, exec.vu.metrics.tags.scenario, exec.vu.tags.group);
}
