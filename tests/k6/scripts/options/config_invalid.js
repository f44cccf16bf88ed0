// @args --config data/broken.json
// @exit 104
// A configuration file that is no JSON.
export default function () {}
