// Without a callback 200 to 399 are expected.
import http from 'k6/http';

export const options = {
  thresholds: { http_req_failed: ['rate==0.5'], 'http_reqs{expected_response:true}': ['count==2'], 'http_reqs{expected_response:false}': ['count==2'] },
};

export default function () {
  for (const code of [200, 399, 400, 500]) http.get(`${__ENV.BASE}/status/${code}`);
}
