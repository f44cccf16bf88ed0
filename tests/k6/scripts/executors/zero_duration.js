// @exit 104
// A duration of nothing.
export const options = { scenarios: { s: { executor: 'constant-vus', vus: 1, duration: '0s' } } };

export default function () {}
