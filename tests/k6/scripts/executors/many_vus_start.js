// Three hundred users, one iteration each.
import http from 'k6/http';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 300, iterations: 1 } } };

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
