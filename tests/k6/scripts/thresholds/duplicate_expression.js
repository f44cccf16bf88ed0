// The same expression twice.
export const options = { thresholds: { iterations: ['count==1', 'count==1'] } };

export default function () {}
