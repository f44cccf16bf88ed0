// @args --tag build=17 --tag team=blue
// Tags of the whole run.
import http from 'k6/http';

export const options = { thresholds: { 'http_reqs{build:17,team:blue}': ['count==1'], 'iterations{build:17}': ['count==1'] } };

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
