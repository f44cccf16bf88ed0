// Options of the script.
export const options = { vus: 2, iterations: 6, tags: { suite: 'x' }, thresholds: { 'iterations{suite:x}': ['count==6'] } };

export default function () {}
