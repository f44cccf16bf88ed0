// @args --config no-such-file.json
// @exit 255
// A configuration file that is not there.
export default function () {}
