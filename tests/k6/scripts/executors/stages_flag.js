// @args --stage 0s:2 --stage 1s:2
// Stages from the command line.
import { sleep } from 'k6';

export default function () {
  sleep(0.7);
}
