// @exit 104
// Iterations and stages together.
export const options = { iterations: 5, stages: [{ duration: '1s', target: 1 }] };

export default function () {}
