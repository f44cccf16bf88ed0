// Percentiles of a known series, by interpolation.
// @args --summary-trend-stats min,p(0),p(10),p(25),med,p(75),p(90),p(99),p(99.9),max,avg,count
import { Trend } from 'k6/metrics';

const values = new Trend('values');

export default function () {
  for (let i = 100; i >= 1; i--) values.add(i);
}
