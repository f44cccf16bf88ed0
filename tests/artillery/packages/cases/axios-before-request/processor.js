const axios = require('axios');

// Signs every request with a nonce that a service gives.
module.exports.sign = async function sign(req, context) {
  const { status } = await axios.get(`${context.vars.target}/status/201`);
  req.headers['x-nonce'] = `n-${status}`;
};
