// @args --config data/broken.json
// @exit 255
// A configuration file that is no JSON.
export default function () {}
