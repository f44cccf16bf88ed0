// Polling until ready, with a limit.
import http from 'k6/http';
import { sleep } from 'k6';

export default function () {
  let tries = 0;
  let value = 0;
  while (value < 3 && tries < 10) {
    tries++;
    value = http.post(`${__ENV.BASE}/counter/poll`).json('value');
    sleep(0.02);
  }
  console.log(tries, value);
}
