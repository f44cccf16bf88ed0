// @args --vus 4 --iterations 40
// Many users, one tally.
import { check } from 'k6';
import exec from 'k6/execution';

export default function () {
  check(exec.scenario.iterationInTest, { 'below 30': (n) => n < 30, 'any': () => true });
}
