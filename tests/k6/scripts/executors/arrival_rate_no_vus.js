// @exit 104
// preAllocatedVUs is required.
export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 5, duration: '1s' } } };

export default function () {}
