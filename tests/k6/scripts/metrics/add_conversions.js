// What add makes of booleans, numeric text and nonsense.
import { Counter, Rate, Trend } from 'k6/metrics';

const count = new Counter('converted');
const rate = new Rate('rated');
const trend = new Trend('trended');

export default function () {
  console.log(count.add(true), count.add('2'), count.add(0.5), count.add(-1));
  console.log(rate.add(true), rate.add(0), rate.add('1'), rate.add(7));
  console.log(trend.add('3.5'), trend.add(NaN), trend.add(null), trend.add('abc'), trend.add(undefined), trend.add({}));
}
