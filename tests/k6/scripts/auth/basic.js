// Basic authentication by parameter and by URL.
import http from 'k6/http';
import encoding from 'k6/encoding';

export default function () {
  const withAuth = `${__ENV.BASE}/basic-auth/ann/pass`.replace('://', '://ann:pass@');
  console.log(http.get(withAuth).status, http.get(withAuth, { auth: 'basic' }).status);
  console.log(http.get(`${__ENV.BASE}/basic-auth/ann/pass`).status);
  const header = `Basic ${encoding.b64encode('ann:pass')}`;
  console.log(http.get(`${__ENV.BASE}/basic-auth/ann/pass`, { headers: { Authorization: header } }).json('user'));
}
