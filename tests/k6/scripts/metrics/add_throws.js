// With throw nonsense is an exception.
import { Counter } from 'k6/metrics';

const count = new Counter('strict');
export const options = { throw: true };

export default function () {
  try {
    count.add('abc');
    console.log('no error');
  } catch (error) {
    console.log('error');
  }
  console.log(count.add(1));
}
