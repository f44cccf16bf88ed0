// Texts and numbers of a shared array stay what they are.
import { SharedArray } from 'k6/data';

const kinds = new SharedArray('kinds', () => ['text', '', 1.5, true, null, ['in'], { a: 'b' }]);

export default function () {
  for (const value of kinds) {
    console.log(typeof value, value instanceof String, Object.isFrozen(value), JSON.stringify(value));
  }
}
