// @env K6_DURATION=1s
// @env K6_VUS=2
// Duration from the environment.
import { sleep } from 'k6';

export default function () {
  sleep(0.7);
}
