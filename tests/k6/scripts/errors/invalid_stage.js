// @exit 104
// A stage without a target.
export const options = { stages: [{ duration: '1s', target: 'lots' }] };

export default function () {}
