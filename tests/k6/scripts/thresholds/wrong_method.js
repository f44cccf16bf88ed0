// @exit 104
// A method the metric's type does not have.
export const options = { thresholds: { http_reqs: ['p(95)<1'] } };

export default function () {}
