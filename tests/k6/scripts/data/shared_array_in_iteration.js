// A SharedArray in an iteration is refused.
import { SharedArray } from 'k6/data';

export default function () {
  try {
    new SharedArray('late', () => []);
    console.log('no error');
  } catch (error) {
    console.log(error.message.split('\n')[0]);
  }
}
