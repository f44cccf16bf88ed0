// @args --secret-source=mock=token=abcdef
// a secret asked for in init code, used in setup and requests.
import http from 'k6/http';
import secrets from 'k6/secrets';

const token = await secrets.get('token');
export function setup() {
  console.log('setup has it:', token);
  return { length: token.length };
}
export default function (data) {
  const res = http.get(`${__ENV.BASE}/echo`, { headers: { Authorization: `Bearer ${token}` } });
  console.log(data.length, res.status, res.request.headers.Authorization[0], res.request.headers.Authorization[0].length);
}
