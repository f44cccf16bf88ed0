// More hops than allowed: the last redirect is the answer.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/5`, { redirects: 2 });
  console.log(res.status, res.url, JSON.stringify(res.error), res.error_code);
}
