// setResponseCallback, expectedStatuses per request, and what http_req_failed makes of them.
import http from 'k6/http';
http.setResponseCallback(http.expectedStatuses(200, 404, { min: 300, max: 399 }));
export const options = { thresholds: { http_req_failed: ['rate<0.6'], 'http_req_duration{expected_response:false}': ['max<9000'] }, maxRedirects: 0 };
export default function () {
  const b = __ENV.BASE;
  const bad = [];
  for (const [path, params] of [['/status/404', {}], ['/status/500', {}], ['/redirect/1', {}], ['/status/503', { responseCallback: http.expectedStatuses(503) }], ['/get', { responseCallback: null }], ['/status/404', { responseCallback: http.expectedStatuses({ min: 400, max: 403 }) }]]) {
    const r = http.get(`${b}${path}`, params);
    bad.push(`${r.status}:${r.error_code}:${r.error}`);
  }
  console.log(bad.join(' '));
  for (const wrong of [() => http.expectedStatuses(), () => http.expectedStatuses('200'), () => http.expectedStatuses({ min: 1 }), () => http.setResponseCallback(5), () => http.get(b, { responseCallback: () => true })]) {
    try { wrong(); console.log('taken'); } catch (e) { console.log(e.message ?? e); }
  }
  http.setResponseCallback(null);
  http.get(`${b}/status/500`);
}
