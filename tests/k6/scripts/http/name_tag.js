// The name tag groups URLs; it shows in sub-metrics.
import http from 'k6/http';

export const options = {
  thresholds: {
    'http_reqs{name:posts}': ['count==4'],
    'http_reqs{url:posts}': ['count==4'],
    'http_reqs{kind:read}': ['count==4'],
  },
};

export default function () {
  for (let id = 0; id < 4; id++) {
    http.get(`${__ENV.BASE}/anything/${id}`, { tags: { name: 'posts', kind: 'read' } });
  }
}
