// One user is one iteration.
// @args --vus 1
import exec from 'k6/execution';

export default function () {
  console.log(exec.scenario.executor);
}
