// Which of the answers of an NTLM exchange count as failed requests.
import http from 'k6/http';
import { Counter } from 'k6/metrics';

export const options = {
  iterations: 2,
  thresholds: {
    'http_reqs{status:401}': ['count==10'],
    'http_reqs{expected_response:true}': ['count>0'],
    'http_req_failed': ['rate<1'],
  },
};

const seen = new Counter('seen');

export default function () {
  const res = http.get(`${__ENV.BASE}/ntlm/ann/pass`.replace('://', '://ann:pass@'), { auth: 'ntlm', tags: { name: 'in' } });
  seen.add(res.status === 200 ? 1 : 0);
  http.get(`${__ENV.BASE}/ntlm/ann/pass`.replace('://', '://ann:no@'), { auth: 'ntlm', responseCallback: null });
  const own = http.get(`${__ENV.BASE}/ntlm/eve/own`, { auth: 'ntlm', headers: { Authorization: 'Basic ZXZlOm93bg==' } });
  console.log(res.status, own.status, http.get(`${__ENV.BASE}/redirect-to?url=/ntlm/ann/pass`.replace('://', '://ann:pass@'), { auth: 'ntlm' }).status);
}
