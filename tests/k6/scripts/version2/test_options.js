// The options as scripts see them.
// @ordered
import exec from 'k6/execution';

export const options = { vus: 1, iterations: 1, handleSummaryTimeout: '3s', tags: { a: 'b' } };

export default function () {
  console.log(JSON.stringify(exec.test.options));
}
