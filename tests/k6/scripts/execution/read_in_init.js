// What kinds of errors init code gets that asks for what only runs have; an empty line of the console.
import exec from 'k6/execution';
const tried = (read) => {
  try {
    return String(read());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
if (__VU === 1) {
  console.log(tried(() => exec.scenario.name));
  console.log(tried(() => exec.vu.idInTest));
  console.log(tried(() => exec.vu.tags.scenario));
  console.log(tried(() => exec.test.options));
}
export default function () {
  console.log();
  console.log(tried(() => require('./none.js')).split(',')[0]);
}
