// Which answers count as failed.
import http from 'k6/http';
http.setResponseCallback(http.expectedStatuses(200, { min: 400, max: 404 }));
export const options = { thresholds: { http_req_failed: ['rate==0.25'], 'http_reqs{expected_response:true}': ['count==3'] } };
export default function () {
  for (const s of [200, 401, 404, 500]) http.get(`${__ENV.BASE}/status/${s}`);
  http.get(`${__ENV.BASE}/status/500`, { responseCallback: null });
  try { http.expectedStatuses('x'); } catch (e) { console.log(e.message); }
  try { http.setResponseCallback(5); } catch (e) { console.log(e.message); }
}
