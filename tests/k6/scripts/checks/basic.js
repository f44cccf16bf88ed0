// Checks pass and fail; neither changes the exit code.
import { check } from 'k6';

export const options = { iterations: 4 };

export default function () {
  const all = check(__ITER, { 'is small': (n) => n < 10, 'is even': (n) => n % 2 === 0 });
  console.log(__ITER, all);
}
