// sleep of fractions, of nothing and of zero.
import { sleep } from 'k6';

export default function () {
  const time = (seconds) => {
    const start = Date.now();
    sleep(seconds);
    return Date.now() - start;
  };
  const quarter = time(0.25);
  console.log(quarter >= 249 && quarter < 1000, time(0) < 100, time(-1) < 100, time('0.1') < 1000);
}
