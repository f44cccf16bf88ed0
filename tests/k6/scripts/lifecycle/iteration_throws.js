// Exceptions in iterations are logged; iterations count; the exit code stays 0.
export const options = { iterations: 3 };

export default function () {
  if (__ITER === 1) throw new TypeError('bad thing');
  if (__ITER === 2) throw 'only text';
  null.foo;
}
