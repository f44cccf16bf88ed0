const { randomString } = require('https://jslib.k6.io/k6-utils/1.4.0/index.js');
module.exports.default = function(){ console.log(randomString(4).length) }
