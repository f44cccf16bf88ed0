// fail ends the iteration, not the test.
import { check, fail } from 'k6';

export const options = { iterations: 3 };

export default function () {
  if (!check(__ITER, { 'not one': (n) => n !== 1 })) fail(`iteration ${__ITER} went wrong`);
  console.log('ended', __ITER);
}
