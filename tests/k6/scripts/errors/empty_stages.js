// @exit 104
// ramping-vus without stages.
export const options = { scenarios: { s: { executor: 'ramping-vus', startVUs: 1, stages: [] } } };

export default function () {}
