// @args --vus 2 --duration 1s
// -u and -d.
import { sleep } from 'k6';

export default function () {
  sleep(0.4);
}
