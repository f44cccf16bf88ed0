// @exit 107
// A k6 module that does not exist.
import x from 'k6/nosuch';

export default function () {}
