// Exceptions that are no errors.
export const options = { iterations: 6 };

export default function () {
  const values = ['text', 7, null, undefined, { a: 1 }, [1, 2]];
  throw values[__ITER];
}
