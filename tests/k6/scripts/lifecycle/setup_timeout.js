// @exit 100
// Setup that takes too long.
import { sleep } from 'k6';

export const options = { setupTimeout: '500ms' };

export function setup() {
  sleep(5);
}

export default function () {
  console.log('never');
}
