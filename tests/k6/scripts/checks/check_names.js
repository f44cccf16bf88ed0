// Names with blanks, other alphabets, and the separator that is not allowed.
import { check } from 'k6';

export default function () {
  console.log(check(1, { '상태 200': () => true, 'ünï ✓': () => true, 'a:b': () => true, ' padded ': () => true, '': () => true }));
  try {
    check(1, { 'a::b': () => true });
    console.log('no error');
  } catch (error) {
    console.log(error.message);
  }
}
