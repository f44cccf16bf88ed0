// @args --system-tags method,status
// Only some system tags.
import http from 'k6/http';

export const options = { thresholds: { 'http_reqs{method:GET}': ['count==1'], 'http_reqs{scenario:default}': ['count==0'], 'http_reqs{url:x}': ['count==0'] } };

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
