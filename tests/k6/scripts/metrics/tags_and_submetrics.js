// Tags of samples, sub-metrics by threshold.
import { Counter, Trend } from 'k6/metrics';

const sold = new Counter('sold');
const price = new Trend('price');

export const options = {
  thresholds: {
    'sold{fruit:apple}': ['count==3'],
    'sold{fruit:pear}': ['count==1'],
    'sold{fruit:apple,shop:a}': ['count==2'],
    'price{fruit:apple}': ['avg==2', 'max==3'],
  },
};

export default function () {
  sold.add(1, { fruit: 'apple', shop: 'a' });
  sold.add(1, { fruit: 'apple', shop: 'a' });
  sold.add(1, { fruit: 'apple', shop: 'b' });
  sold.add(1, { fruit: 'pear' });
  [1, 2, 3].forEach((v) => price.add(v, { fruit: 'apple' }));
  price.add(100, { fruit: 'pear' });
}
