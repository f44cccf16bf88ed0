// @exit 104
// Duration and scenarios together.
export const options = { duration: '1s', scenarios: { a: { executor: 'per-vu-iterations' } } };

export default function () {}
