// randomSeed makes Math.random repeat.
import { randomSeed } from 'k6';

export default function () {
  randomSeed(123);
  const first = [Math.random(), Math.random()];
  randomSeed(123);
  const second = [Math.random(), Math.random()];
  randomSeed(124);
  console.log(first[0] === second[0], first[1] === second[1], Math.random() !== first[0]);
}
