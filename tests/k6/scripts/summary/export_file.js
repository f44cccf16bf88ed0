// @args --summary-export out.json
// --summary-export with groups, checks, thresholds and setup data.
import http from 'k6/http';
import { check, group } from 'k6';

export const options = { iterations: 2, thresholds: { http_req_failed: ['rate<0.01'], checks: ['rate>0.9'] } };

export function setup() {
  return { started: true };
}

export default function (data) {
  group('outer', () => group('inner', () => check(http.get(`${__ENV.BASE}/get`), { up: (r) => r.status === 200 })));
  check(data, { 'setup data': (d) => d.started });
}
