// Two SharedArrays of one name are the first one.
import { SharedArray } from 'k6/data';

const first = new SharedArray('same', () => [1]);
const second = new SharedArray('same', () => [2, 3]);

export default function () {
  console.log(first.length, second.length, second[0]);
}
