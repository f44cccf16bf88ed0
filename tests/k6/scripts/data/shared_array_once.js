// The function runs once for all users.
// @args --vus 4 --iterations 4
import { SharedArray } from 'k6/data';

const list = new SharedArray('once', () => {
  console.log('made');
  return [1, 2, 3];
});

export default function () {
  list[0] + list[2] === 4 || console.log('wrong');
}
