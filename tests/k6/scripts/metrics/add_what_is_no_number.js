import { Counter, Rate } from 'k6/metrics';

const counter = new Counter('my_counter');
const rate = new Rate('my_rate');

export default function () {
  const values = { big: 1n, none: undefined, nothing: null, symbol: Symbol('s'), text: '3', word: 'x', spaces: ' 4 ', hex: '0x10', list: [5], empty: [], object: {}, own: { valueOf: () => 3 }, date: new Date(5), yes: true };
  for (const [name, value] of Object.entries(values)) {
    for (const metric of [counter, rate]) {
      try {
        console.log(name, metric.add(value));
      } catch (error) {
        console.log(name, `${error}`);
      }
    }
  }
}
