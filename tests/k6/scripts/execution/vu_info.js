// exec.vu.
import exec from 'k6/execution';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };

export default function () {
  const v = exec.vu;
  console.log(v.idInInstance === __VU, v.idInTest === __VU, v.iterationInInstance, v.iterationInScenario);
}
