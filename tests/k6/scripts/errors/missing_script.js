// @target no-such-script.js
// @exit 255
// A script that is not there.
export default function () {}
