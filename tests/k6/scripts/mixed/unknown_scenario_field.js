// @exit 104
// A field that no executor has.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', rampUp: '3s' } } };
export default function () {}
