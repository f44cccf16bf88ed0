// A script that sets the tag of the group goes to a group of that name.
import exec from 'k6/execution';
import { group } from 'k6';

const shown = () => JSON.stringify(Object.entries(exec.vu.tags).sort());

export default function () {
  exec.vu.tags.group = 'mine';
  exec.vu.tags.step = 5;
  console.log(exec.vu.tags.group, shown());
  group('inner', () => console.log(shown()));
  console.log(shown());
  console.log(JSON.stringify(Object.keys(exec.vu.metrics.tags).sort()));
}
