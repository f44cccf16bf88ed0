// Names of requests, by template, tag and function.
import http from 'k6/http';
export const options = { thresholds: { 'http_reqs{name:users}': ['count==2'], 'http_reqs{method:POST}': ['count==1'], 'http_reqs{status:404}': ['count==1'], 'http_reqs{expected_response:false}': ['count==1'], [`http_reqs{name:\${}/get?id=\${}}`]: ['count==3'] } };
export default function () {
  for (const id of [1, 2, 3]) { const r = http.get(http.url`${__ENV.BASE}/get?id=${id}`); if (id === 1) console.log(r.request.url.endsWith('id=1'), r.url.endsWith('id=1')); }
  http.get(`${__ENV.BASE}/anything/u/1`, { tags: { name: 'users' } });
  http.get(`${__ENV.BASE}/anything/u/2`, { tags: { name: 'users' } });
  http.post(`${__ENV.BASE}/status/404`, null);
}
