// @args --no-thresholds
// --no-thresholds ignores them all.
export const options = { thresholds: { iterations: ['count>100'] } };

export default function () {}
