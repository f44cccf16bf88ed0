// exec.test.options: consolidated and frozen.
import exec from 'k6/execution';

export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 1 } },
  thresholds: { iterations: ['count==1'] },
  maxRedirects: 3,
};

export default function () {
  const o = exec.test.options;
  console.log(o.maxRedirects, JSON.stringify(Object.keys(o.scenarios)), o.scenarios.s.executor, o.batch, o.batchPerHost);
  console.log(o.rps, o.userAgent === null, Array.isArray(o.summaryTrendStats));
}
