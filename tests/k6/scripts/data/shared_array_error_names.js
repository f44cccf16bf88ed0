// The names of the errors that making a SharedArray ends with.
import { SharedArray } from 'k6/data';

const made = [() => 5, () => ({}), () => 'text', () => { throw new Error('mine'); }, async () => []].map((make, i) => {
  try {
    return `${new SharedArray(`array ${i}`, make).length}`;
  } catch (e) {
    return `${e.name}: ${e.message}`;
  }
});

export default function () {
  made.forEach((text) => console.log(text));
}
