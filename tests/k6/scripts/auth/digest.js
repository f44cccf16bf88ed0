// Digest authentication: a challenge first, then the answer.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/digest-auth/ann/pass`.replace('://', '://ann:pass@');
  const res = http.get(url, { auth: 'digest' });
  console.log(res.status, res.json('authenticated'), res.json('user'));
}
