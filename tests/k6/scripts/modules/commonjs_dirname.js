// __filename and __dirname do not exist.
module.exports.default = function () {
  console.log(typeof __filename, typeof __dirname, typeof module, typeof exports, typeof require);
};
