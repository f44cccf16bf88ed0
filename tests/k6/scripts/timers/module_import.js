// k6/timers.
import { setTimeout, clearTimeout, setInterval, clearInterval } from 'k6/timers';

export default function () {
  setTimeout((a, b) => console.log('with arguments', a, b), 5, 'x', 7);
  console.log(typeof clearTimeout, typeof setInterval, typeof clearInterval);
}
