// Response headers: canonical names, several values joined.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/headers/multi`);
  console.log(res.headers['X-Multi'], res.headers['x-multi']);
  const own = http.get(`${__ENV.BASE}/headers?x-request-id=abc&etag=%22v%22&www-thing=1`);
  console.log(own.headers['X-Request-Id'], own.headers['Etag'], own.headers['Www-Thing']);
}
