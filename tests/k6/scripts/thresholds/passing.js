// Thresholds that hold.
import http from 'k6/http';

export const options = {
  iterations: 3,
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<5000', 'avg<5000', 'max < 5000'],
    http_reqs: ['count>=3', 'rate>0'],
    iterations: ['count == 3', 'count===3', 'count != 4'],
  },
};

export default function () {
  http.get(`${__ENV.BASE}/get`);
}
