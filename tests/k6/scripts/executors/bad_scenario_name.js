// @exit 104
// A scenario name with a blank.
export const options = { scenarios: { 'my test': { executor: 'per-vu-iterations' } } };

export default function () {}
