// An async test ends the iteration; the checks before it are counted, those after it are not.
import { check } from 'k6';

export const options = { iterations: 2 };

export default function () {
  check('value', {
    before: (value) => value === 'value',
    'an async one': async (value) => value === 'value',
    after: () => true,
  });
  console.log('never');
}
