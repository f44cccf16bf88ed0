// Setup data changed by one user.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export function setup() {
  return { name: 'setup', nested: { by: 0 } };
}

export default function (data) {
  const before = data.nested.by;
  data.nested.by = __VU;
  data.extra = __VU;
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, before === 0 || before === __VU, data.nested.by, data.extra);
}
