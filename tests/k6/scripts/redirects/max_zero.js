// redirects: 0 returns the redirect itself.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/3`, { redirects: 0 });
  console.log(res.status, res.url, res.headers['Location'], res.body.trim());
}
