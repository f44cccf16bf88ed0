// Other versions of the library answer too.
import { randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.2.0/index.js';
import { uuidv4 } from 'https://jslib.k6.io/k6-utils/1.6.0/index.js';

export default function () {
  console.log(randomIntBetween(5, 5), uuidv4().length);
}
