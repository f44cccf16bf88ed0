// @exit 105
// @signal SIGINT 300ms sent
// Requests made before an interrupted iteration's end count.
import http from 'k6/http';
import { sleep } from 'k6';

export const options = { iterations: 1 };

export default function () {
  http.get(`${__ENV.BASE}/get`);
  http.get(`${__ENV.BASE}/get`);
  console.log('sent');
  sleep(30);
}
