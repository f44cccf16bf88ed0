// @exit 108
// exec.test.abort in a check in a group, with finally blocks and teardown.
import { group, check } from 'k6';
import exec from 'k6/execution';
export const options = { iterations: 3 };
export function setup() { return 'd'; }
export default function (d) {
  try {
    group('outer', () => { check(1, { 'first': () => { if (exec.scenario.iterationInTest === 1) exec.test.abort(`enough of ${d}`); return true; } }); });
  } catch (e) { console.log('catch', e.message ?? e); } finally { console.log('finally', exec.scenario.iterationInTest); }
}
export function teardown() { console.log('teardown'); }
export function handleSummary(s) { return { stdout: `${s.root_group.groups[0]?.name} ${s.root_group.groups[0]?.checks[0]?.passes}\n` }; }
