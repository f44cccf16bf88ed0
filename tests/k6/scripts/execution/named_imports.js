// Named imports of k6/execution.
import { scenario, vu, instance, test } from 'k6/execution';

export default function () {
  console.log(scenario.name, vu.idInTest, typeof instance.vusActive, typeof test.abort);
}
