// Groups: results, nesting, durations, tags.
import { check, group, sleep } from 'k6';

export const options = {
  iterations: 2,
  thresholds: { 'group_duration{group:::shop::cart}': ['max>=50'], 'checks{group:::shop::cart}': ['rate==1'] },
};

export default function () {
  const result = group('shop', () => {
    check(1, { 'in shop': () => true });
    return group('cart', () => {
      sleep(0.06);
      check(1, { 'in cart': () => true });
      return 'from the cart';
    });
  });
  console.log(result);
  check(1, { outside: () => true });
}
