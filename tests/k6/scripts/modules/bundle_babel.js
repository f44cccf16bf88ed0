// A module as Babel writes it.
'use strict';

Object.defineProperty(exports, '__esModule', { value: true });
exports.options = exports.default = void 0;
var _http = _interopRequireDefault(require('k6/http'));
var _k = require('k6');
function _interopRequireDefault(e) {
  return e && e.__esModule ? e : { default: e };
}
const options = (exports.options = { iterations: 1 });
var _default = () => {
  const res = _http.default.get(`${__ENV.BASE}/get`);
  (0, _k.check)(res, { up: (r) => r.status === 200 });
  console.log('babel', res.status);
};
exports.default = _default;
