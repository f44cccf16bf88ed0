// @args --execution-segment 0:1/2
// Half of the work.
import exec from 'k6/execution';

export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 4, iterations: 10 } } };

export default function () {}
