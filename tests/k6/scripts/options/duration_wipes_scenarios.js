// @args --iterations 2
// An execution flag replaces the script's scenarios.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 3, exec: 'other' } } };

export default function () {
  console.log('default ran');
}
export function other() {
  console.log('other ran');
}
