// two handles of a file keep places of their own, and so do users.
import fs from 'k6/experimental/fs';

export const options = { scenarios: { all: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };
const [one, two] = [await fs.open('data/text.txt'), await fs.open('data/text.txt')];
export default async function () {
  const [a, b] = [new Uint8Array(4), new Uint8Array(9)];
  console.log(__ITER, await one.read(a), await two.read(b), String.fromCharCode(...a), String.fromCharCode(...b));
}
