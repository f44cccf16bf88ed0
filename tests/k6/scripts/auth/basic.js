// Basic authentication by parameter and by URL.
import http from 'k6/http';

export default function () {
  const withAuth = `${__ENV.BASE}/basic-auth/ann/pass`.replace('://', '://ann:pass@');
  console.log(http.get(withAuth).status, http.get(withAuth, { auth: 'basic' }).status);
  console.log(http.get(`${__ENV.BASE}/basic-auth/ann/pass`).status);
  const header = 'Basic YW5uOnBhc3M=';
  console.log(http.get(`${__ENV.BASE}/basic-auth/ann/pass`, { headers: { Authorization: header } }).json('user'));
}
