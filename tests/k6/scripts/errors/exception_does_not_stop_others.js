// @args --vus 3 --iterations 9
// One in three iterations throws.
import exec from 'k6/execution';
import http from 'k6/http';

export default function () {
  http.get(`${__ENV.BASE}/get`);
  if (exec.scenario.iterationInTest % 3 === 0) throw new Error('every third');
}
