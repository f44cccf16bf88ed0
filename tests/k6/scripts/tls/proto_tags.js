// proto and tls_version are tags.
import http from 'k6/http';

export const options = {
  thresholds: {
    'http_reqs{proto:HTTP/2.0}': ['count==2'],
    'http_reqs{proto:HTTP/1.1}': ['count==2'],
    'http_reqs{tls_version:tls1.3}': ['count==3'],
  },
};

export default function () {
  http.get(`${__ENV.TLS_BASE}/get`);
  http.get(`${__ENV.TLS_BASE}/get`);
  http.get(`${__ENV.TLS1_BASE}/get`);
  http.get(`${__ENV.BASE}/get`);
}
