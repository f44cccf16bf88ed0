// @exit 255
// Options that cannot be written end the run.
export const options = Object.freeze({ vus: 1, tags: { team: 'a' } });

export default function () {}
