// @exit 110
// exec.test.fail marks the test, goes on, and ends with its own code.
import exec from 'k6/execution';
export const options = { iterations: 3 };
export default function () { if (__ITER === 1) exec.test.fail('second is bad'); console.log(__ITER); }
