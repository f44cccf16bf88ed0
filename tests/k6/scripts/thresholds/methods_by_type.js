// Every method of every type.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const c = new Counter('a_counter');
const g = new Gauge('a_gauge');
const r = new Rate('a_rate');
const t = new Trend('a_trend');

export const options = {
  thresholds: {
    a_counter: ['count==4', 'rate>0'],
    a_gauge: ['value==9'],
    a_rate: ['rate==0.75'],
    a_trend: ['avg==25', 'min==10', 'max==40', 'med==25', 'p(50)==25', 'p(90)>36', 'p(99.99)<=40'],
  },
};

export default function () {
  for (let i = 1; i <= 4; i++) {
    c.add(1);
    g.add(i === 4 ? 9 : i);
    r.add(i > 1);
    t.add(i * 10);
  }
}
