// Writing to a SharedArray is an error.
import { SharedArray } from 'k6/data';

const list = new SharedArray('list', () => [{ a: 1, deep: { b: 2 } }, 2]);

export default function () {
  const attempts = {
    replace: () => (list[0] = 1),
    push: () => list.push(1),
    field: () => {
      'use strict';
      list[0].a = 2;
    },
    deep: () => {
      'use strict';
      list[0].deep.b = 3;
    },
    length: () => (list.length = 0),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      attempt();
      console.log(name, 'no error');
    } catch (error) {
      console.log(name, error.name);
    }
  }
  console.log(JSON.stringify(list));
}
