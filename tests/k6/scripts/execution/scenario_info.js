// exec.scenario.
import exec from 'k6/execution';

export const options = { scenarios: { only: { executor: 'shared-iterations', vus: 1, iterations: 3 } } };

export default function () {
  const s = exec.scenario;
  console.log(s.name, s.executor, s.iterationInTest, s.iterationInInstance, typeof s.startTime, s.progress >= 0 && s.progress <= 1);
}
