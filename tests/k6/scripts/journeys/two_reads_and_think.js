// Two GETs with checks and think time, as a travel page is read.
// @args --vus 10 --iterations 20
import http from 'k6/http';
import { check, sleep } from 'k6';

export default function () {
  const headers = { 'device-fid': `device-${Math.floor(Math.random() * 1000)}` };
  check(http.get(`${__ENV.BASE}/anything/contents/1/places`, { headers }), { 'places 200': (r) => r.status === 200 });
  check(http.get(`${__ENV.BASE}/anything/contents/1`, { headers }), { 'content 200': (r) => r.status === 200, fast: (r) => r.timings.duration < 5000 });
  sleep(Math.random() * 0.1 + 0.2);
}
