// @exit 104
// An unknown field of a scenario.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', gracefullStop: '1s' } } };

export default function () {}
