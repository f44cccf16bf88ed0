// @exit 255
// Scenarios without a default function, one naming a function that is no function.
export const options = { scenarios: { s: { executor: 'per-vu-iterations', exec: 'flow' } } };
export const flow = 5;
