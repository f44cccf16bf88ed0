// A name a builtin module does not have: nothing until it is called.
import { Trend, check } from 'k6';

export default function () {
  console.log(typeof check);
  try {
    new Trend('x');
    console.log('no error');
  } catch (error) {
    console.log(error.name);
  }
}
