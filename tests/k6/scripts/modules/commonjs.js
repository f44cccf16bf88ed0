// CommonJS: require and module.exports.
const http = require('k6/http');
const { check } = require('k6');
const tools = require('./lib/tools.cjs.js');

module.exports.options = { iterations: 2 };

module.exports.default = function () {
  const res = http.get(`${__ENV.BASE}/get`);
  check(res, { up: (r) => r.status === 200 });
  console.log(tools.double(21), typeof tools.helper);
};
