// @args --iterations 100 --duration 1s --vus 2
// iterations with a duration: whichever comes first.
import { sleep } from 'k6';

export default function () {
  sleep(0.7);
}
