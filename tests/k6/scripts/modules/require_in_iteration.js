// require outside init code is an error of the iteration.
module.exports.default = function () {
  try {
    require('k6/http');
    console.log('no error');
  } catch (error) {
    console.log('error');
  }
};
