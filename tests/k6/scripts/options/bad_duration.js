// @exit 104
// A duration that cannot be read.
export const options = { duration: '10 seconds' };

export default function () {}
