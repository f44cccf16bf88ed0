// A cookie's path limits where it is sent.
import http from 'k6/http';

export default function () {
  http.get(`${__ENV.BASE}/cookies/set-attrs?name=deep&value=1&path=/anything/deep`);
  console.log(http.get(`${__ENV.BASE}/anything`).json('headers.cookie'));
  console.log(http.get(`${__ENV.BASE}/anything/deep/er`).json('headers.cookie'));
  console.log(http.get(`${__ENV.BASE}/anything/deeper`).json('headers.cookie'));
}
