// Reached through an alias that no text shows.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  const way = ['proto', 'type'].join('');
  if (__VU === 2) [].constructor[way].fromTwo = 2;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, [].fromTwo);
}
