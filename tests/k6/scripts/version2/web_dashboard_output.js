// @args --out web-dashboard
// @env K6_WEB_DASHBOARD_PORT=-1
// The dashboard is a part of the program.
import http from 'k6/http';

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
