// Requests of a batch run at the same time, six per host.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/delay/300`;
  let start = Date.now();
  http.batch([url, url, url, url, url, url]);
  const six = Date.now() - start;
  start = Date.now();
  http.batch([url, url, url, url, url, url, url]);
  const seven = Date.now() - start;
  console.log(six >= 290 && six < 580, seven >= 580 && seven < 1200);
}
