// @exit 104
// A scenario without an executor.
export const options = { scenarios: { s: { vus: 1, duration: '1s' } } };

export default function () {}
