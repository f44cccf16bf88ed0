// exec.vu.metrics.metadata.
import exec from 'k6/execution';

export default function () {
  exec.vu.metrics.metadata.trace = 'abc';
  exec.vu.metrics.tags.team = 'x';
  console.log(exec.vu.metrics.metadata.trace, exec.vu.tags.team);
  delete exec.vu.metrics.metadata.trace;
  console.log(exec.vu.metrics.metadata.trace);
}
