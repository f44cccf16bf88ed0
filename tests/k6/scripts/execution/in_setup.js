// exec in setup and teardown.
import exec from 'k6/execution';

function look(where) {
  for (const [name, read] of [['scenario', () => exec.scenario.name], ['instance', () => typeof exec.instance.currentTestRunDuration], ['vu', () => exec.vu.idInInstance]]) {
    try {
      console.log(where, name, read());
    } catch (error) {
      console.log(where, name, 'error');
    }
  }
}

export function setup() {
  look('setup');
}
export default function () {}
export function teardown() {
  look('teardown');
}
