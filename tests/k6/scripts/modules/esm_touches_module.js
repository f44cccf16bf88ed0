// @exit 107
// module in an ES module.
import http from 'k6/http';

module.exports = { a: 1 };

export default function () {}
