// An object exported by a file.
import { sleep } from 'k6';
import * as lib from './lib/state.js';
import { count } from './lib/state.js';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  lib.state.count += __VU;
  lib.list.push(__VU);
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, lib.state.count, lib.list.join(), count());
}
