// @exit 104
// exec names a function that is not exported.
export const options = { scenarios: { s: { executor: 'per-vu-iterations', exec: 'nope' } } };

export default function () {}
