const inner = require('./inner.cjs.js');
exports.double = (n) => inner.times(n, 2);
exports.helper = () => {};
