// Wrong basic credentials.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/basic-auth/ann/pass`.replace('://', '://ann:nope@'));
  console.log(res.status, res.headers['Www-Authenticate'], res.error_code);
}
