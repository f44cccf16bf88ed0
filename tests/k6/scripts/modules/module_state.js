// A module's state is shared by all who import it, per user.
import { next } from './lib/counter.js';
import { next as again } from './lib/counter.js';

export const options = { iterations: 2 };

export default function () {
  console.log(next(), again(), next === again);
}
