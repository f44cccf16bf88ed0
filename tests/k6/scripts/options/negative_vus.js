// @exit 104
// Fewer users than none.
export const options = { vus: -1, duration: '1s' };

export default function () {}
