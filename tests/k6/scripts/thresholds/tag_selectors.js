// Several tags, quotes and blanks in a selector.
import http from 'k6/http';

export const options = {
  thresholds: {
    'http_reqs{kind:a, method:GET}': ['count==2'],
    'http_reqs{ kind:"b" }': ['count==1'],
    'http_reqs{status:200}': ['count==3'],
    'http_reqs{method:POST}': ['count==0'],
  },
};

export default function () {
  http.get(`${__ENV.BASE}/get`, { tags: { kind: 'a' } });
  http.get(`${__ENV.BASE}/get`, { tags: { kind: 'a' } });
  http.get(`${__ENV.BASE}/get`, { tags: { kind: 'b' } });
}
