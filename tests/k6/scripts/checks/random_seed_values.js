// The very numbers of a seed.
import { randomSeed } from 'k6';

export default function () {
  randomSeed(123);
  console.log(Math.random(), Math.random());
}
