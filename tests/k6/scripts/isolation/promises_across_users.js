// Microtasks and async functions of several users.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

let log = [];

export default async function () {
  log.push('start');
  Promise.resolve().then(() => log.push(`job ${__VU}`));
  sleep(0.05);
  await null;
  log.push('end');
  console.log(`${__VU}:${__ITER}`, log.join());
  log = [];
}
