// @args --iterations 1
// @exit 104
// An execution flag with a script that has no default function.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', exec: 'other' } } };

export function other() {}
