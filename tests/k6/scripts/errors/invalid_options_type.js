// @exit 104
// options that are no object of the right types.
export const options = { vus: 'many', iterations: 1 };

export default function () {}
