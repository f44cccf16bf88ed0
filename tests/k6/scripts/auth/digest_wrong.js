// Digest authentication with a wrong password.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/digest-auth/ann/pass`.replace('://', '://ann:nope@'), { auth: 'digest' });
  console.log(res.status, res.error_code);
}
