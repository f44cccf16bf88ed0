// Group names that are allowed and one that is not.
import { group } from 'k6';

export default function () {
  console.log(group('with blanks', () => 1), group('', () => 2), group('한글', () => 3));
  for (const [name, fn] of [['a::b', () => 4], ['b::', () => 5]]) {
    try {
      group(name, fn);
      console.log('no error');
    } catch (error) {
      console.log('error for', name);
    }
  }
}
