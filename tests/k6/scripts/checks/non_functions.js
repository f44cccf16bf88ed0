// Values that are no functions are tested for truth.
import { check } from 'k6';

export default function () {
  console.log(check(null, { 'true': true, 'one': 1, 'text': 'x', 'object': {} }));
  console.log(check(null, { 'false': false, 'zero': 0, 'empty': '', 'null': null, 'undefined': undefined, 'NaN': NaN }));
  console.log(check(null, { 'truthy result': () => 'yes', 'falsy result': () => 0, 'nothing returned': () => {} }));
}
