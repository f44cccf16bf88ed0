// Credentials in a URL become basic authentication, and are masked in tags only.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/basic-auth/ann/s3cret`.replace('http://', 'http://ann:s3cret@');
  const res = http.get(url);
  console.log(res.status, res.json('user'), res.request.url);
}
