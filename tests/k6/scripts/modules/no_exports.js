// @exit 255
// A script without exports.
const a = 1;
