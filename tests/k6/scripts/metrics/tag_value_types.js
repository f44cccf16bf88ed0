// Tag values: text, number, boolean; an object is an error.
import { Counter } from 'k6/metrics';

const c = new Counter('tagged');
export const options = { thresholds: { 'tagged{n:5}': ['count==1'], 'tagged{b:true}': ['count==1'] } };

export default function () {
  c.add(1, { n: 5 });
  c.add(1, { b: true });
  try {
    c.add(1, { o: { x: 1 } });
    console.log('no error');
  } catch (error) {
    console.log('error');
  }
}
