// http.url names a request by its template.
import http from 'k6/http';

export const options = {
  thresholds: { 'http_reqs{name:${}/anything/${}}': ['count==3'] },
};

export default function () {
  for (let id = 1; id <= 3; id++) {
    const res = http.get(http.url`${__ENV.BASE}/anything/${id}`);
    console.log(res.status, res.json('path'));
  }
  const made = http.url`${__ENV.BASE}/x/${7}?q=${'a'}`;
  console.log(made.name, made.url);
}
