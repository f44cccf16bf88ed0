// @args --vus 3 --iterations 3
// __VU counts from one, __ITER from zero.
import { sleep } from 'k6';

export default function () {
  sleep(0.2);
  console.log(`vu ${__VU} iter ${__ITER}`);
}
