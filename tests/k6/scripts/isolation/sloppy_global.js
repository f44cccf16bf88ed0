// An undeclared variable in CommonJS.
import { sleep } from 'k6';
import sloppy from './lib/sloppy.js';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, sloppy.bump(__VU));
}
