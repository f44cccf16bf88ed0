// Each hop has its own status; the thresholds count them.
import http from 'k6/http';

export const options = {
  thresholds: { 'http_reqs{status:302}': ['count==3'], 'http_reqs{status:200}': ['count==1'] },
};

export default function () {
  http.get(`${__ENV.BASE}/redirect/3`);
}
