import { SharedArray } from 'k6/data';

const arrays = {
  none: new SharedArray('none', () => []),
  one: new SharedArray('one', () => [1]),
  sorted: new SharedArray('sorted', () => [1, 2, 3]),
  objects: new SharedArray('objects', () => [{ n: 1 }, { n: 2 }]),
};

export default function () {
  for (const [name, array] of Object.entries(arrays)) {
    for (const work of [(a) => a.sort(), (a) => a.sort((x, y) => x - y), (a) => [...a].sort().length, (a) => a.toSorted().length]) {
      try {
        console.log(name, JSON.stringify(work(array)));
      } catch (error) {
        console.log(name, `${error}`);
      }
    }
  }
  console.log(JSON.stringify(Object.getOwnPropertyDescriptor(arrays.one, 0)));
}
