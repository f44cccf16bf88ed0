// @exit 107
// A module that is not there.
import x from './no-such-module.js';

export default function () {}
