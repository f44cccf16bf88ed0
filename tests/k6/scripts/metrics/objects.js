import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const told = (name, work) => {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, `${error}`);
  }
};
const counter = new Counter('my_counter');
const trend = new Trend('my_trend', true);

// What a metric is to a script.
export default function () {
  for (const metric of [counter, trend]) {
    told('keys', () => Object.keys(metric));
    told('json', () => JSON.stringify(metric));
    told('text', () => `${metric}`);
    told('shown', () => metric);
    told('own add', () => Object.hasOwn(metric, 'add'));
    told('set name', () => { metric.name = 'x'; });
    told('delete name', () => delete metric.name);
    told('alone', () => { const { add } = metric; return add(2); });
  }
  told('instance', () => `${counter instanceof Counter} ${counter instanceof Gauge} ${trend instanceof Trend}`);
  told('constructor', () => counter.constructor === Counter);
  told('in an iteration', () => new Rate('late'));
}
