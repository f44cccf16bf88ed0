// randomIntBetween, randomItem, randomString, uuidv4, findBetween.
import { randomIntBetween, randomItem, randomString, uuidv4, findBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

export default function () {
  const numbers = Array.from({ length: 500 }, () => randomIntBetween(3, 7));
  console.log(Math.min(...numbers), Math.max(...numbers), numbers.every(Number.isInteger));
  const items = ['a', 'b', 'c'];
  console.log(Array.from({ length: 100 }, () => randomItem(items)).every((item) => items.includes(item)));
  console.log(randomString(12).length, /^[a-z]{12}$/.test(randomString(12)), /^[xyz]{5}$/.test(randomString(5, 'xyz')));
  const ids = new Set(Array.from({ length: 50 }, () => uuidv4()));
  console.log(ids.size, [...ids].every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  console.log(findBetween('<a>one</a><a>two</a>', '<a>', '</a>'), findBetween('<a>one</a><a>two</a>', '<a>', '</a>', true).join());
}
