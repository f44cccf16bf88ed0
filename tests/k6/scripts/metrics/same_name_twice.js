// The same metric declared twice is one metric.
import { Counter } from 'k6/metrics';

const a = new Counter('shared_counter');
const b = new Counter('shared_counter');

export default function () {
  a.add(1);
  b.add(2);
  console.log(a.name, b.name);
}
