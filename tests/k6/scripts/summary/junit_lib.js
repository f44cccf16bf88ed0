// @exit 99
// jUnit of the k6-summary library: a test case per threshold.
import { jUnit } from 'https://jslib.k6.io/k6-summary/0.0.2/index.js';

export const options = { iterations: 2, thresholds: { iterations: ['count==2', 'count>5'] } };

export default function () {}

export function handleSummary(data) {
  const text = jUnit(data);
  console.log((text.match(/<testcase/g) || []).length, (text.match(/<failure/g) || []).length, text.startsWith('<?xml'));
  console.log(/tests="2"/.test(text), /failures="1"/.test(text));
  return {};
}
