// @exit 104
// An executor that does not exist.
export const options = { scenarios: { s: { executor: 'constant-users', vus: 1, duration: '1s' } } };

export default function () {}
