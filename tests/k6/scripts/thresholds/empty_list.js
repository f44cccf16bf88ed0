// An empty list of thresholds makes a sub-metric and nothing else.
import http from 'k6/http';

export const options = { thresholds: { 'http_req_duration{kind:shown}': [], 'http_reqs{kind:shown}': [] } };

export default function () {
  http.get(`${__ENV.BASE}/get`, { tags: { kind: 'shown' } });
}
