// So does the option beside scenarios.
import exec from 'k6/execution';

export const options = {
  vus: 2,
  scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 1 } },
};

export default function () {
  console.log(exec.scenario.name, exec.scenario.executor, exec.test.options.scenarios.default.iterations);
}
