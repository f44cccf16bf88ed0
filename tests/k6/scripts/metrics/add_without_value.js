// Nothing is added by a call without a value; the warning is another than that of a wrong value.
import { Counter, Rate } from 'k6/metrics';

const orders = new Counter('orders');
const good = new Rate('good');

export default function () {
  console.log(orders.add(), orders.add(undefined), orders.add('x'), good.add(), good.add('x'), orders.add(1));
}
