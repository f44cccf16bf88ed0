// @args --user-agent test-agent/1
// The user agent comes from the flag unless a request sets its own.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).json('headers.user-agent'));
  console.log(http.get(`${__ENV.BASE}/get`, { headers: { 'User-Agent': 'mine/2' } }).json('headers.user-agent'));
}
