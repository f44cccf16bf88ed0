// @exit 104
// A threshold with an unknown operator.
export const options = { thresholds: { http_reqs: ['count=>1'] } };

export default function () {}
