// @exit 104
// A selector without a value.
export const options = { thresholds: { 'http_reqs{group:}': ['count==1'] } };

export default function () {}
