// maxRedirects as an option.
import http from 'k6/http';

export const options = { maxRedirects: 1 };

export default function () {
  const res = http.get(`${__ENV.BASE}/redirect/3`);
  console.log(res.status, res.headers['Location']);
  console.log(http.get(`${__ENV.BASE}/redirect/3`, { redirects: 5 }).status);
}
