// @exit 107
// A module over plain HTTP.
import x from 'http://127.0.0.1:1/x.js';

export default function () {}
