// @args --config no-such-file.json
// @exit 104
// A configuration file that is not there.
export default function () {}
