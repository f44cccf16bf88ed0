// @exit 104
// Several mistakes in scenarios at once.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 0, duration: '1s' }, b: { executor: 'ramping-arrival-rate', stages: [{ target: -1, duration: '1s' }], preAllocatedVUs: 1 }, c: { executor: 'shared-iterations', vus: 5, iterations: 2, exec: 'nope' } } };
export default function () {}
