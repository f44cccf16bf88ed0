// @env K6_STAGES=0s:2,1s:2
// Stages from the environment.
import { sleep } from 'k6';

export default function () {
  sleep(0.7);
}
