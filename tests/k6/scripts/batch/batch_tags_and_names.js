// Tags of requests inside a batch.
import http from 'k6/http';

export const options = { thresholds: { 'http_reqs{part:css}': ['count==2'], 'http_reqs{name:assets}': ['count==3'] } };

export default function () {
  http.batch([
    ['GET', `${__ENV.BASE}/anything/a.css`, null, { tags: { part: 'css', name: 'assets' } }],
    ['GET', `${__ENV.BASE}/anything/b.css`, null, { tags: { part: 'css', name: 'assets' } }],
    ['GET', `${__ENV.BASE}/anything/c.js`, null, { tags: { name: 'assets' } }],
  ]);
}
