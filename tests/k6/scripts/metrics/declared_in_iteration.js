// Declaring a metric in an iteration is an error of that iteration.
import { Counter } from 'k6/metrics';

export default function () {
  try {
    new Counter('too_late');
    console.log('no error');
  } catch (error) {
    console.log(error.message.split('\n')[0]);
  }
}
