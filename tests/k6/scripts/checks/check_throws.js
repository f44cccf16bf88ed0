// A check that throws is recorded as failed; the rest is skipped and the iteration ends.
import { check } from 'k6';

export const options = { iterations: 2 };

export default function () {
  check({}, {
    first: () => true,
    second: (value) => value.missing.deeper === 1,
    third: () => true,
  });
  console.log('not reached');
}
