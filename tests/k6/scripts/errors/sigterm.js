// @exit 105
// @signal SIGTERM 300ms first
// SIGTERM does the same.
import { sleep } from 'k6';

export const options = { iterations: 1 };

export default function () {
  console.log('first');
  sleep(30);
}
