// @args --vus 3 --iterations 3
// Users do not share jars.
import http from 'k6/http';
import { sleep } from 'k6';

export default function () {
  http.get(`${__ENV.BASE}/cookies/set?vu=only`);
  sleep(0.3);
  const count = Object.keys(http.get(`${__ENV.BASE}/cookies`).json('cookies')).length;
  console.log('cookies seen:', count);
}
