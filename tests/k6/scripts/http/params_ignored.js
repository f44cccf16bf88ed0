// Unknown parameters are ignored; a third argument to get only warns.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`, { nosuch: 1, headers: null, tags: undefined }).status);
  console.log(http.get(`${__ENV.BASE}/get`, null).status);
}
