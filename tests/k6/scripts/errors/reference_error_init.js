// @exit 107
// A name that does not exist, in init code.
const a = notDefined + 1;

export default function () {}
