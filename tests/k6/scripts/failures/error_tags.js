// error_code is a tag that thresholds can count.
import http from 'k6/http';

export const options = {
  thresholds: {
    'http_reqs{error_code:1212}': ['count==2'],
    'http_reqs{error_code:1404}': ['count==1'],
    'http_reqs{error_code:1503}': ['count==1'],
    'http_reqs{expected_response:false}': ['count==4'],
    'http_req_failed{status:0}': ['rate==1'],
  },
};

export default function () {
  http.get('http://127.0.0.1:1/');
  http.get('http://127.0.0.1:1/');
  http.get(`${__ENV.BASE}/status/404`);
  http.get(`${__ENV.BASE}/status/503`);
  http.get(`${__ENV.BASE}/get`);
}
