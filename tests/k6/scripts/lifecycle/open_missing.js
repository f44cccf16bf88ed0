// @exit 107
// A file that is not there.
const data = open('./no-such-file.csv');

export default function () {}
