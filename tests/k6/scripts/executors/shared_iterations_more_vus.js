// @exit 104
// More users than iterations.
export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 5, iterations: 3 } } };

export default function () {}
