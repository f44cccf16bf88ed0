// @compare stdout took
// All times in seconds, by option.
import { Trend } from 'k6/metrics';

const t = new Trend('took', true);
export const options = { summaryTimeUnit: 's' };

export default function () {
  [500, 1500].forEach((v) => t.add(v));
}
