// @exit 104
// A threshold on a metric that does not exist.
export const options = { thresholds: { no_such_metric: ['count>1'] } };

export default function () {}
